import { expect, test } from "vitest";
import { printedCells } from "../../../test/printed-cells.ts";
import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";

const deleted = { deletionTimestamp: "2029-12-31T23:59:00Z" };

test.each<[resource: string, object: JsonObject, cells: readonly JsonValue[]]>([
  ["resource.k8s.io/deviceclasses", {}, []],
  ["resource.k8s.io/resourceclaimtemplates", {}, []],
  ["resource.k8s.io/resourceclaims", {}, ["pending"]],
  [
    "resource.k8s.io/resourceclaims",
    { status: { allocation: {}, reservedFor: [{}] } },
    ["allocated,reserved"],
  ],
  [
    "resource.k8s.io/resourceclaims",
    { metadata: deleted, status: { allocation: {} } },
    ["deleted,allocated"],
  ],
  ["resource.k8s.io/resourceclaims", { metadata: deleted }, ["deleted"]],
  [
    "resource.k8s.io/resourceslices",
    { spec: { nodeName: "n", driver: "d", pool: { name: "p" } } },
    ["n", "d", "p"],
  ],
  [
    "resource.k8s.io/devicetaintrules",
    { spec: { taint: { key: "k", value: "v", effect: "NoExecute", timeAdded: "2029-12-31T23:59:00Z" } } },
    ["k", "v", "NoExecute", "60s"],
  ],
  ["resource.k8s.io/devicetaintrules", {}, ["", "", "", ""]],
  ["resource.k8s.io/podschedulingcontexts", { spec: { selectedNode: "n" } }, ["n"]],
  ["resource.k8s.io/resourceclasses", { driverName: "d" }, ["d"]],
])("%s %j is shown as %j", async (resource, object, cells) => {
  expect(await printedCells(resource, object)).toEqual(cells);
});
