import type { MutableJsonObject } from "../../apimachinery/json.ts";
import { type Defaulter, ifSet, inStruct, whenUnset, whenZero } from "../defaulting/defaulter.ts";

const minReplicas = whenUnset({ minReplicas: 1 });

const percent = { type: "Percent", value: 100, periodSeconds: 15 };

/** The server has no opinion on how long scaling down looks back: that is a flag of the controller. */
const behavior = ifSet(
  "behavior",
  inStruct(
    "scaleUp",
    whenUnset({
      stabilizationWindowSeconds: 0,
      selectPolicy: "Max",
      policies: [{ type: "Pods", value: 4, periodSeconds: 15 }, percent],
    }),
  ),
  inStruct("scaleDown", whenUnset({ selectPolicy: "Max", policies: [percent] })),
);

/** HorizontalPodAutoscaler of autoscaling/v1. Its metric is chosen in conversion, where the annotations are known. */
export const horizontalPodAutoscalerV1Defaults: Defaulter = inStruct("spec", minReplicas);

/** HorizontalPodAutoscaler of autoscaling/v2 and v2beta2 */
export const horizontalPodAutoscalerDefaults: Defaulter = inStruct(
  "spec",
  minReplicas,
  cpuMetric({ target: { type: "Utilization", averageUtilization: 80 } }),
  behavior,
);

/** HorizontalPodAutoscaler of autoscaling/v2beta1 */
export const horizontalPodAutoscalerV2beta1Defaults: Defaulter = inStruct(
  "spec",
  minReplicas,
  cpuMetric({ targetAverageUtilization: 80 }),
);

function cpuMetric(target: MutableJsonObject): Defaulter {
  return whenZero({ metrics: [{ type: "Resource", resource: { name: "cpu", ...target } }] });
}
