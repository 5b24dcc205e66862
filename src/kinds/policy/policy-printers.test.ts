import { expect, test } from "vitest";
import { printedCells } from "../../../test/printed-cells.ts";
import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";

type Case = readonly [resource: string, object: JsonObject, cells: readonly JsonValue[]];

const cases: readonly Case[] = [
  [
    "policy/poddisruptionbudgets",
    { spec: { minAvailable: "50%" }, status: { disruptionsAllowed: 2 } },
    ["50%", "N/A", 2],
  ],
  ["policy/poddisruptionbudgets", { spec: { maxUnavailable: 0 } }, ["N/A", "0", 0]],
  [
    "policy/podsecuritypolicies",
    {
      spec: {
        privileged: true,
        allowedCapabilities: ["A", "B"],
        seLinux: { rule: "s" },
        runAsUser: { rule: "u" },
        fsGroup: { rule: "f" },
        supplementalGroups: { rule: "g" },
        volumes: ["*"],
      },
    },
    ["true", "A,B", "s", "u", "f", "g", false, "*"],
  ],
];

test.each(cases)("%s %j is shown as %j", async (resource, object, cells) => {
  expect(await printedCells(resource, object)).toEqual(cells);
});
