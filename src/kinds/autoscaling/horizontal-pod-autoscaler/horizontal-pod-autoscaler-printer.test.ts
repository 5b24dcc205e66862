import { describe, expect, test } from "vitest";
import { printedCells } from "../../../../test/printed-cells.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";

const metric = (type: string, field: string, source: JsonObject): JsonObject => ({ type, [field]: source });

function autoscaler(metrics: readonly JsonObject[], currentMetrics: readonly JsonObject[] = []): JsonObject {
  const scaleTargetRef = { kind: "Deployment", name: "d" };
  return {
    spec: { scaleTargetRef, minReplicas: 1, maxReplicas: 9, metrics },
    status: { currentReplicas: 2, currentMetrics },
  };
}

const cpu = (target: JsonObject): JsonObject => metric("Resource", "resource", { name: "cpu", target });
const cpuNow = (current: JsonObject): JsonObject => metric("Resource", "resource", { name: "cpu", current });

const targets: readonly (readonly [
  metrics: readonly JsonObject[],
  states: readonly JsonObject[],
  shown: string,
])[] = [
  [[], [], "<none>"],
  [[cpu({ averageUtilization: 80 })], [], "cpu: <unknown>/80%"],
  [[cpu({ averageUtilization: 80 })], [cpuNow({ averageUtilization: 0, averageValue: "0" })], "cpu: 0%/80%"],
  [[cpu({})], [cpuNow({})], "cpu: <unknown>/<auto>"],
  [[cpu({ averageValue: "500m" })], [], "cpu: <unknown>/500m"],
  [[cpu({ averageValue: "500m" })], [cpuNow({ averageValue: "250m" })], "cpu: 250m/500m"],
  [[cpu({ averageValue: "500m" })], [cpuNow({})], "cpu: <nil>/500m"],
  [
    [
      metric("ContainerResource", "containerResource", {
        name: "memory",
        container: "c",
        target: { averageUtilization: 50 },
      }),
    ],
    [
      metric("ContainerResource", "containerResource", {
        name: "memory",
        current: { averageUtilization: 40 },
      }),
    ],
    "memory: 40%/50%",
  ],
  [[metric("Pods", "pods", { target: { averageValue: "10" } })], [], "<unknown>/10"],
  [
    [metric("Pods", "pods", { target: { averageValue: "10" } })],
    [metric("Pods", "pods", { current: { averageValue: "7" } })],
    "7/10",
  ],
  [
    [metric("Object", "object", { target: { value: "10" } })],
    [metric("Object", "object", { current: { value: "7" } })],
    "7/10",
  ],
  [
    [metric("Object", "object", { target: { averageValue: "10" } })],
    [metric("Object", "object", { current: { averageValue: "7" } })],
    "7/10 (avg)",
  ],
  [
    [metric("External", "external", { target: { averageValue: "10" } })],
    [metric("External", "external", { current: { value: "7" } })],
    "<unknown>/10 (avg)",
  ],
  [
    [metric("External", "external", { target: { value: "10" } })],
    [metric("External", "external", { current: { value: "7" } })],
    "7/10",
  ],
  [[metric("Other", "other", {})], [], "<unknown type>"],
  [
    [cpu({ averageUtilization: 1 }), cpu({ averageUtilization: 2 }), cpu({ averageUtilization: 3 }), cpu({})],
    [],
    "cpu: <unknown>/1%, cpu: <unknown>/2% + 2 more...",
  ],
];

describe("an autoscaler", () => {
  test.each(targets)("with the metrics %j and %j has the targets %s", async (metrics, states, shown) => {
    const resource = "autoscaling/horizontalpodautoscalers";
    expect(await printedCells(resource, autoscaler(metrics, states))).toEqual([
      "Deployment/d",
      shown,
      "1",
      9,
      2,
    ]);
  });

  test.each<[spec: JsonObject, status: JsonObject, shown: string]>([
    [{ targetCPUUtilizationPercentage: 80 }, {}, "cpu: <unknown>/80%"],
    [{ targetCPUUtilizationPercentage: 80 }, { currentCPUUtilizationPercentage: 5 }, "cpu: 5%/80%"],
  ])("stored as v1 with %j and %j has the targets %s", async (spec, status, shown) => {
    const shownCells = await printedCells("autoscaling/horizontalpodautoscalers", { spec, status }, "1.20");
    expect(shownCells).toEqual(["/", shown, "<unset>", 0, 0]);
  });
});
