import { expect, test } from "vitest";
import { printedCells } from "../../../test/printed-cells.ts";
import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";

type Case = readonly [resource: string, object: JsonObject, cells: readonly JsonValue[]];

const cases: readonly Case[] = [
  [
    "discovery.k8s.io/endpointslices",
    {
      addressType: "IPv4",
      ports: [{ port: 80 }, { name: "x" }, {}, { name: "" }],
      endpoints: [{ addresses: ["1.1.1.1", "2.2.2.2"] }, { addresses: ["3.3.3.3", "4.4.4.4"] }],
    },
    ["IPv4", "80,x,* + 1 more...", "1.1.1.1,2.2.2.2,3.3.3.3 + 1 more..."],
  ],
  ["discovery.k8s.io/endpointslices", { ports: [], endpoints: [] }, ["", "<unset>", "<unset>"]],
  ["discovery.k8s.io/endpointslices", { ports: [{ name: "" }], endpoints: null }, ["", "<unset>", "<unset>"]],
];

test.each(cases)("%s %j is shown as %j", async (resource, object, cells) => {
  expect(await printedCells(resource, object)).toEqual(cells);
});
