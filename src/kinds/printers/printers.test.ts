import { describe, expect, test } from "vitest";
import { printedCells } from "../../../test/printed-cells.ts";
import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";

type Case = readonly [resource: string, object: JsonObject, cells: readonly JsonValue[]];

const machinery: readonly Case[] = [
  ["coordination.k8s.io/leases", { spec: { holderIdentity: "me" } }, ["me"]],
  [
    "coordination.k8s.io/leasecandidates",
    { spec: { leaseName: "l", binaryVersion: "1.32.0", emulationVersion: "1.31.0" } },
    ["l", "1.32.0", "1.31.0"],
  ],
  [
    "storagemigration.k8s.io/storageversionmigrations",
    { spec: { resource: { resource: "deployments", group: "apps" } } },
    ["deployments.apps"],
  ],
  ["node.k8s.io/runtimeclasses", { handler: "runc" }, ["runc"]],
  [
    "scheduling.k8s.io/priorityclasses",
    { value: -5, globalDefault: true, preemptionPolicy: "Never" },
    [-5, true, "Never"],
  ],
  ["scheduling.k8s.io/priorityclasses", {}, [0, false, ""]],
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

describe.each([["machinery", machinery]])("%s", (_group, cases) => {
  test.each(cases)("%s %j is shown as %j", (resource, object, cells) => {
    expect(printedCells(resource, object)).toEqual(cells);
  });
});
