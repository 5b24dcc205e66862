import { expect, test } from "vitest";
import { listAt } from "../../../apimachinery/fields.ts";
import { limitedSubsets } from "./endpoints-limit.ts";

const addresses = (count: number) => Array.from({ length: count }, (_, i) => ({ ip: `10.0.0.${i}` }));
const subset = ([ready, unready]: readonly [number, number]) => ({
  ...(ready > 0 && { addresses: addresses(ready) }),
  ...(unready > 0 && { notReadyAddresses: addresses(unready) }),
  ports: [{ port: 80 }],
});

/** The numbers are those of TestTruncateEndpoints in kubernetes, pkg/controller/endpoint/endpoints_controller_test.go. */
test.each([
  ["no more than fit", [[500, 500]], undefined],
  ["too many ready ones: unready ones go first", [[1005, 20]], [[1000, 0]]],
  ["too many unready ones", [[400, 700]], [[400, 600]]],
  [
    "each subset gives its share",
    [
      [800, 10],
      [400, 10],
    ],
    [
      [667, 0],
      [333, 0],
    ],
  ],
] as const)("%s", (_title, subsets, expected) => {
  const limited = limitedSubsets(subsets.map(subset));
  const counts = limited?.map((one) => [
    listAt(one, "addresses").length,
    listAt(one, "notReadyAddresses").length,
  ]);
  expect(counts).toEqual(expected);
});
