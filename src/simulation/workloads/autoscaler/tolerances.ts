import { textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { parseQuantity } from "../../../apimachinery/quantity.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";

/** `--horizontal-pod-autoscaler-tolerance`. */
const defaultTolerance = 0.1;

/** Whether a ratio of usage to target is so near to 1 that the number of replicas stays. */
export type Tolerance = (ratio: number) => boolean;

/**
 * The tolerance of an autoscaler, from its `spec.behavior` if the feature gate allows it. Releases before 1.33 subtract, so 1.1 is beyond
 * their tolerance of 0.1. Upstream: `tolerancesForHpa` (pkg/controller/podautoscaler/horizontal.go).
 */
export function toleranceOf(behavior: JsonObject | undefined, gates: FeatureGates): Tolerance {
  if (!gates.since("1.33")) return (ratio) => Math.abs(1 - ratio) <= defaultTolerance;
  const isConfigurable = gates.isEnabled("HPAConfigurableTolerance");
  const toleranceIn = (direction: string) => {
    const text = isConfigurable ? textAt(behavior ?? {}, direction, "tolerance") : "";
    return text === "" ? defaultTolerance : parseQuantity(text).asApproximateFloat();
  };
  const [down, up] = [toleranceIn("scaleDown"), toleranceIn("scaleUp")];
  return (ratio) => 1 - down <= ratio && ratio <= 1 + up;
}
