import { expect, test } from "vitest";
import { printedCells } from "../../../test/printed-cells.ts";
import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";

type Case = readonly [resource: string, object: JsonObject, cells: readonly JsonValue[]];

const cases: readonly Case[] = [
  [
    "scheduling.k8s.io/priorityclasses",
    { value: -5, globalDefault: true, preemptionPolicy: "Never" },
    [-5, true, "Never"],
  ],
  ["scheduling.k8s.io/priorityclasses", {}, [0, false, ""]],
];

test.each(cases)("%s %j is shown as %j", async (resource, object, cells) => {
  expect(await printedCells(resource, object)).toEqual(cells);
});
