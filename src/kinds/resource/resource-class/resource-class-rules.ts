import { objectAt, textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { validateAsNew } from "../../../registry/contract/validate-as-new.ts";
import { addNodeSelector } from "../../pod-spec/validation/node-selector.ts";
import { addParametersReference } from "../classes/class-reference-validation.ts";
import { addDriverNameErrors } from "../devices/device-name-validation.ts";

export const resourceClassRules: BuiltInRules<"resourceclasses"> = {
  strategy: (base: Strategy) =>
    validateAsNew({ ...base, validate: addClassErrors, validateUpdate: addClassErrors }, "Cluster"),
};

/** Upstream: pkg/apis/resource/validation/validation.go of 1.27, ValidateClass. */
function addClassErrors(errors: Findings, resourceClass: KubeObject): void {
  addDriverNameErrors(errors, textAt(resourceClass, "driverName"), "driverName");
  addParametersReference(errors, objectAt(resourceClass, "parametersRef"), "parametersRef");
  const nodes = objectAt(resourceClass, "suitableNodes");
  if (nodes !== undefined) addNodeSelector(errors, nodes, "suitableNodes", { allowsInvalidValues: false });
}
