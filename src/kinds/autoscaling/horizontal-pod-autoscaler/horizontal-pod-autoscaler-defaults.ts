import { isJsonObject, type MutableJsonObject } from "../../../apimachinery/json.ts";
import {
  type Defaulter,
  ifSet,
  inStruct,
  sentStruct,
  whenUnset,
  whenZero,
} from "../../defaulting/defaulter.ts";
import { roundTripAnnotations } from "./horizontal-pod-autoscaler-strategy.ts";
import { parsedAnnotation } from "./parsed-annotation.ts";

const defaultUtilization = 80;

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
 * HorizontalPodAutoscaler of autoscaling/v1. Without other metrics in its annotations it has the default target, which
 * upstream's conversion adds and which therefore belongs to the writer (pkg/apis/autoscaling/v1/conversion.go).
 */
export function horizontalPodAutoscalerV1Defaults(autoscaler: MutableJsonObject): void {
  const target = whenUnset({ targetCPUUtilizationPercentage: defaultUtilization });
  inStruct("spec", minReplicas, ...(hasOtherMetrics(autoscaler) ? [] : [target]))(autoscaler);
}

/** Whether the annotation for metrics that autoscaling/v1 does not have has at least one. */
function hasOtherMetrics(autoscaler: MutableJsonObject): boolean {
  const metadata = sentStruct(autoscaler, "metadata") ?? {};
  const metrics = parsedAnnotation({ metadata }, roundTripAnnotations.metrics, (value) =>
    Array.isArray(value) && value.every(isJsonObject) ? value : undefined,
  );
  return metrics !== undefined && metrics.length > 0;
}

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
