import { expect, test } from "vitest";
import { defaulted } from "../../../../test/registry/defaulted.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";

const cpu = {
  type: "Resource",
  resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } },
};
const percent = { type: "Percent", value: 100, periodSeconds: 15 };
const pods = { type: "Pods", value: 4, periodSeconds: 15 };

test.each<[title: string, version: string, sent: JsonObject, expected: JsonObject]>([
  ["v1 has a field for the default metric", "v1", {}, { minReplicas: 1, targetCPUUtilizationPercentage: 80 }],
  ["v2 has a target of 80 percent CPU", "v2", {}, { minReplicas: 1, metrics: [cpu] }],
  ["v2beta2 has the same target", "v2beta2", { metrics: [] }, { minReplicas: 1, metrics: [cpu] }],
  [
    "v2beta1 has the same target in its own fields",
    "v2beta1",
    {},
    {
      minReplicas: 1,
      metrics: [{ type: "Resource", resource: { name: "cpu", targetAverageUtilization: 80 } }],
    },
  ],
  [
    "fields that are set stay",
    "v2",
    { minReplicas: 0, metrics: [{ type: "X" }] },
    { minReplicas: 0, metrics: [{ type: "X" }] },
  ],
  [
    "a behavior gets defaults in both directions",
    "v2",
    { behavior: {} },
    {
      minReplicas: 1,
      metrics: [cpu],
      behavior: {
        scaleUp: { stabilizationWindowSeconds: 0, selectPolicy: "Max", policies: [pods, percent] },
        scaleDown: { selectPolicy: "Max", policies: [percent] },
      },
    },
  ],
  [
    "fields of a behavior that are set stay",
    "v2",
    {
      behavior: {
        scaleUp: { stabilizationWindowSeconds: 5 },
        scaleDown: { selectPolicy: "Disabled", policies: [pods] },
      },
    },
    {
      minReplicas: 1,
      metrics: [cpu],
      behavior: {
        scaleUp: { stabilizationWindowSeconds: 5, selectPolicy: "Max", policies: [pods, percent] },
        scaleDown: { selectPolicy: "Disabled", policies: [pods] },
      },
    },
  ],
])("%s", (_, version, spec, expected) => {
  const scaleTargetRef = { kind: "Deployment", name: "d" };
  const kind = `autoscaling/${version}/HorizontalPodAutoscaler`;
  const release = version === "v2beta1" ? "1.24" : "1.25";
  const autoscaler = defaulted(kind, { spec: { ...spec, scaleTargetRef, maxReplicas: 3 } }, release);
  expect(autoscaler["spec"]).toEqual({ scaleTargetRef, maxReplicas: 3, ...expected });
});
