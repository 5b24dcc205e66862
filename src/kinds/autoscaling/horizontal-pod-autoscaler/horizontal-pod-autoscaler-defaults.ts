import type { MutableJsonObject } from "../../../apimachinery/json.ts";
import { type Defaulter, ifSet, inStruct, whenUnset, whenZero } from "../../defaulting/defaulter.ts";

const minReplicas = whenUnset({ minReplicas: 1 });

const percent = { type: "Percent", value: 100, periodSeconds: 15 };

/** The stabilization window of scaling down has no default: it is a flag of the controller manager. */
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

/**
 * HorizontalPodAutoscaler of autoscaling/v1. The conversion adds its default metric, since it reads the annotations.
 */
export const horizontalPodAutoscalerV1Defaults: Defaulter = inStruct("spec", minReplicas);

/** HorizontalPodAutoscaler of autoscaling/v2 and v2beta2. Upstream: pkg/apis/autoscaling/v2/defaults.go. */
export const horizontalPodAutoscalerDefaults: Defaulter = inStruct(
  "spec",
  minReplicas,
  cpuMetric({ target: { type: "Utilization", averageUtilization: 80 } }),
  behavior,
);

/** HorizontalPodAutoscaler of autoscaling/v2beta1. Upstream: pkg/apis/autoscaling/v2beta1/defaults.go. */
export const horizontalPodAutoscalerV2beta1Defaults: Defaulter = inStruct(
  "spec",
  minReplicas,
  cpuMetric({ targetAverageUtilization: 80 }),
);

/** The default metric is the utilization of the CPU. */
function cpuMetric(target: MutableJsonObject): Defaulter {
  return whenZero({ metrics: [{ type: "Resource", resource: { name: "cpu", ...target } }] });
}
