import { structAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { changed, withGeneration } from "../../../registry/contract/default-strategy.ts";
import { withGatedFields } from "../../../registry/contract/gated-fields.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { statusStrategy } from "../../../registry/subresources/status.ts";
import { withGatedTemplate } from "../../workload/gated-template.ts";
import { addNonnegativeFields } from "../../workload/number-fields.ts";
import { podNameWarnings } from "../../workload/pod-template.ts";
import { addUpdateErrorsWithRepeats } from "../../workload/repeated-validation.ts";
import { addReplicaStatusErrors, gatedStatusFields } from "../../workload/replica-status.ts";
import { addReplicaTemplateErrors } from "../../workload/replica-template.ts";
import { newTemplateWarnings, templateWarnings } from "../../workload/template-warnings.ts";
import { addIfSelectorChanged, addSelectorErrors } from "../../workload/workload-selector.ts";

/** The strategy of ReplicaSets, whose selector is immutable. */
export function replicaSetStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  return {
    ...withGeneration(withGatedTemplate(base, gates), changed("spec")),
    metadataChecks: { create: "core", update: "own" },
    validate: (errors, object) => addSpecErrors(errors, object, gates),
    warningsOnCreate: (object) => [...podNameWarnings(object, gates), ...newTemplateWarnings(object, gates)],
    validateUpdate: (errors, object, old) => addUpdateErrors(errors, object, old, gates),
    warningsOnUpdate: (object, old) => templateWarnings(object, old, gates),
  };
}

/** The strategy of `/status`. */
export function replicaSetStatusStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  return {
    ...withGatedFields(statusStrategy(base), gates, gatedStatusFields),
    validateUpdate: addReplicaStatusErrors,
  };
}

function addSpecErrors(
  errors: Findings,
  replicaSet: KubeObject,
  gates: FeatureGates,
  old?: KubeObject,
): void {
  const spec = structAt(replicaSet, "spec");
  addNonnegativeFields(errors, spec, "spec", ["replicas", "minReadySeconds"]);
  addSelectorErrors(errors, spec, "deployment");
  addReplicaTemplateErrors(errors, replicaSet, gates, old);
}

function addUpdateErrors(
  errors: Findings,
  replicaSet: KubeObject,
  old: KubeObject,
  gates: FeatureGates,
): void {
  const once: Findings = [];
  addSpecErrors(once, replicaSet, gates, old);
  addUpdateErrorsWithRepeats(errors, replicaSet, old, once);
  addIfSelectorChanged(errors, structAt(replicaSet, "spec"), structAt(old, "spec"));
}
