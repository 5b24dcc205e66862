import { expect, test } from "vitest";
import { printedCells } from "../../../../test/printed-cells.ts";
import type { JsonObject, JsonValue } from "../../../apimachinery/json.ts";

test.each<[resource: string, object: JsonObject, cells: readonly JsonValue[]]>([
  ["internal.apiserver.k8s.io/storageversions", {}, ["<unset>", "<unset>"]],
  [
    "internal.apiserver.k8s.io/storageversions",
    {
      status: {
        commonEncodingVersion: "v1",
        storageVersions: ["a", "b", "c", "d"].map((id) => ({ apiServerID: id, encodingVersion: "v1" })),
      },
    },
    ["v1", "a=v1,b=v1,c=v1 + 1 more..."],
  ],
])("%s %j is shown as %j", async (resource, object, cells) => {
  expect(await printedCells(resource, object)).toEqual(cells);
});
