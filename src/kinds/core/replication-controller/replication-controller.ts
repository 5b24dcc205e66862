import { fieldRequired } from "../../../apimachinery/errors/field.ts";
import { stringsAt, structAt } from "../../../apimachinery/fields.ts";
import { isJsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { labelSelectorFromObject } from "../../../apimachinery/selectors/label-selector-object.ts";
import { collectErrors, type Findings } from "../../../apimachinery/validation/findings.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { changed, withGeneration } from "../../../registry/contract/default-strategy.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { statusStrategy } from "../../../registry/subresources/status.ts";
import { addPodTemplateSpecErrors } from "../../pod-spec/validation/pod-template.ts";
import { templateValidationOptions } from "../../pod-spec/validation/pod-validation-options.ts";
import { withGatedTemplate } from "../../workload/gated-template.ts";
import { addNonnegativeFields } from "../../workload/number-fields.ts";
import {
  addRestartPolicyErrors,
  hasNewGeneration,
  podNameWarnings,
  templateOf,
  templatePath,
} from "../../workload/pod-template.ts";
import { addUpdateErrorsWithRepeats } from "../../workload/repeated-validation.ts";
import { addReplicaStatusErrors } from "../../workload/replica-status.ts";
import { newTemplateWarnings } from "../../workload/template-warnings.ts";
import { addUnlessSelectorMatches } from "../../workload/workload-selector.ts";

/**
 * The strategy of ReplicationControllers, whose selector is a mutable map of labels. Upstream:
 * pkg/registry/core/replicationcontroller/strategy.go.
 */
export function replicationControllerStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  return {
    ...withGeneration(withGatedTemplate(base, gates), changed("spec")),
    metadataChecks: { create: "core", update: "own" },
    validate: (errors, object) => addSpecErrors(errors, object, gates),
    warningsOnCreate: (object) => [...podNameWarnings(object, gates), ...newTemplateWarnings(object, gates)],
    validateUpdate: (errors, object, old) => {
      const once = collectErrors((errors) => addSpecErrors(errors, object, gates, old));
      addUpdateErrorsWithRepeats(errors, object, old, once);
    },
    // Upstream swaps the two objects here, and warns about the old template.
    warningsOnUpdate: (object, old) => (hasNewGeneration(object, old) ? newTemplateWarnings(old, gates) : []),
    garbageCollectionPolicy: "orphan",
  };
}

/** The strategy of `/status`. */
export function replicationControllerStatusStrategy(base: Strategy): Strategy {
  return { ...statusStrategy(base), validateUpdate: addReplicaStatusErrors };
}

function addSpecErrors(
  errors: Findings,
  controller: KubeObject,
  gates: FeatureGates,
  old?: KubeObject,
): void {
  const spec = structAt(controller, "spec");
  const selector = stringsAt(spec, "selector");
  addNonnegativeFields(errors, spec, "spec", ["minReadySeconds"]);
  if (Object.keys(selector).length === 0) errors.push(fieldRequired("spec.selector"));
  addNonnegativeFields(errors, spec, "spec", ["replicas"]);
  if (!isJsonObject(spec["template"])) {
    errors.push(fieldRequired(templatePath));
    return;
  }
  const template = templateOf(controller);
  addUnlessSelectorMatches(
    errors,
    template,
    labelSelectorFromObject({ matchLabels: selector }),
    templatePath,
  );
  const options = templateValidationOptions(gates, old && templateOf(old));
  addPodTemplateSpecErrors(errors, template, templatePath, options);
  addRestartPolicyErrors(errors, template, templatePath, "ReplicationController");
}
