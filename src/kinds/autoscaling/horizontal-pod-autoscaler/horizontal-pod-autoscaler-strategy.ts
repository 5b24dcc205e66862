import { structAt } from "../../../apimachinery/fields.ts";
import { type Edit, editedAt, editedEach, without } from "../../../apimachinery/object-edits.ts";
import type { KubeObject, MutableKubeObject } from "../../../apimachinery/object-meta.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { withPreparation } from "../../../registry/contract/default-strategy.ts";
import { type GatedFields, gatedField, withGatedFields } from "../../../registry/contract/gated-fields.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { statusStrategy } from "../../../registry/subresources/status.ts";
import { addNonnegativeFields } from "../../workload/number-fields.ts";
import { addAutoscalerErrors } from "./horizontal-pod-autoscaler-validation.ts";

/** The annotations of autoscaling/v1 for what it has no fields for. */
export const roundTripAnnotations = {
  metrics: "autoscaling.alpha.kubernetes.io/metrics",
  currentMetrics: "autoscaling.alpha.kubernetes.io/current-metrics",
  conditions: "autoscaling.alpha.kubernetes.io/conditions",
  behavior: "autoscaling.alpha.kubernetes.io/behavior",
} as const;

const withoutContainerResource: Edit = (metric) => without(metric, ["containerResource"]);

const gatedFields: readonly GatedFields[] = [
  gatedField("HPAConfigurableTolerance", "spec", "behavior", "scaleUp", "tolerance"),
  gatedField("HPAConfigurableTolerance", "spec", "behavior", "scaleDown", "tolerance"),
  {
    gate: "HPAContainerMetrics",
    drop: (autoscaler) =>
      editedAt(autoscaler, "spec", (spec) => editedEach(spec, "metrics", withoutContainerResource)),
  },
];

/** The strategy of HorizontalPodAutoscalers. It drops the annotations that are fields in newer versions. */
export function horizontalPodAutoscalerStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const gated = withGatedFields(base, gates, gatedFields);
  return {
    ...withPreparation(gated, dropRoundTripAnnotations),
    validate: (errors, object) => addAutoscalerErrors(errors, object, gates),
    validateUpdate: (errors, object, old) => addAutoscalerErrors(errors, object, gates, old),
  };
}

/** The strategy of `/status`. */
export function horizontalPodAutoscalerStatusStrategy(base: Strategy): Strategy {
  const status = statusStrategy(base);
  return {
    ...status,
    prepareForUpdate: (object, old, context) => {
      status.prepareForUpdate(object, old, context);
      dropRoundTripAnnotations(object);
    },
    validateUpdate: addStatusErrors,
  };
}

function dropRoundTripAnnotations(object: MutableKubeObject): void {
  const { annotations } = object.metadata;
  // Old releases store autoscaling/v1, which needs the annotations.
  if (annotations === undefined || object.apiVersion === "autoscaling/v1") return;
  const dropped: ReadonlySet<string> = new Set(Object.values(roundTripAnnotations));
  const kept = Object.entries(annotations).filter(([name]) => !dropped.has(name));
  object.metadata.annotations = Object.fromEntries(kept);
}

function addStatusErrors(errors: Findings, autoscaler: KubeObject): void {
  addNonnegativeFields(errors, structAt(autoscaler, "status"), "status", [
    "currentReplicas",
    "desiredReplicas",
  ]);
}
