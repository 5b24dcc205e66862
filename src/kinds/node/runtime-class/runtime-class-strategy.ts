import { fieldInvalid } from "../../../apimachinery/errors/field.ts";
import { objectAt, textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { StrategyEnvironment } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { validateAsNew } from "../../../registry/contract/validate-as-new.ts";
import { nodeLabelDeprecation } from "../../pod-spec/warnings/node-label-warnings.ts";
import { addRuntimeClassErrors } from "./runtime-class-validation.ts";

/** The strategy of RuntimeClasses, whose handler is immutable. */
export function runtimeClassStrategy(base: Strategy, { gates }: StrategyEnvironment): Strategy {
  const strategy: Strategy = {
    ...base,
    metadataChecks: { create: "library", update: "library" },
    validate: (errors, runtimeClass) => addRuntimeClassErrors(errors, runtimeClass, gates),
    warningsOnCreate: selectorWarnings,
    warningsOnUpdate: selectorWarnings,
    validateUpdate: (errors, runtimeClass, old) => {
      const handler = textAt(runtimeClass, "handler");
      if (handler === textAt(old, "handler")) return;
      errors.push(fieldInvalid("handler", handler, "field is immutable"));
    },
  };
  return validateAsNew(strategy, "Cluster");
}

/** The warnings for deprecated node labels. */
function selectorWarnings(runtimeClass: KubeObject): readonly string[] {
  return Object.keys(objectAt(runtimeClass, "scheduling", "nodeSelector") ?? {}).flatMap((label) => {
    const deprecation = nodeLabelDeprecation(label);
    return deprecation === undefined ? [] : [`scheduling.nodeSelector: ${deprecation}`];
  });
}
