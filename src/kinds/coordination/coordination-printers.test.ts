import { expect, test } from "vitest";
import { printedCells } from "../../../test/printed-cells.ts";
import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";

type Case = readonly [resource: string, object: JsonObject, cells: readonly JsonValue[]];

const cases: readonly Case[] = [
  ["coordination.k8s.io/leases", { spec: { holderIdentity: "me" } }, ["me"]],
  [
    "coordination.k8s.io/leasecandidates",
    { spec: { leaseName: "l", binaryVersion: "1.32.0", emulationVersion: "1.31.0" } },
    ["l", "1.32.0", "1.31.0"],
  ],
];

test.each(cases)("%s %j is shown as %j", async (resource, object, cells) => {
  expect(await printedCells(resource, object)).toEqual(cells);
});
