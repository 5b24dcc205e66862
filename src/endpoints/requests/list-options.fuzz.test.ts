import fc from "fast-check";
import { expect, test } from "vitest";
import { nearly } from "../../../test/arbitraries/nearly.ts";
import { parseResourceVersion } from "./list-options.ts";

const resourceVersion = nearly(fc.bigInt({ min: 0n, max: 2n ** 66n }).map(String), "0123456789-+.ex ");

test("a resourceVersion is a number of 64 bits without a sign, or not one", () => {
  fc.assert(
    fc.property(resourceVersion, (text) => {
      const isOne = text === "" || (/^[0-9]+$/.test(text) && BigInt(text) < 2n ** 64n);
      expect(parseResourceVersion(text)).toBe(isOne ? Number(text) : undefined);
    }),
    { numRuns: 1000 },
  );
});
