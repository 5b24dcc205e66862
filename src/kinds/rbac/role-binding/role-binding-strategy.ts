import { pathSegmentName } from "../../../apimachinery/validation/names.ts";
import { metadataErrors, metadataUpdateErrors } from "../../../registry/contract/metadata-errors.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { validateAsNew } from "../../../registry/contract/validate-as-new.ts";
import { type BindingRules, bindingErrors, roleRefUpdateErrors } from "./role-binding-validation.ts";

export function roleBindingStrategy(base: Strategy): Strategy {
  return bindingStrategy(base, { scope: "Namespaced", roleKinds: ["Role", "ClusterRole"] });
}

/** What role bindings and cluster role bindings have in common. */
export function bindingStrategy(base: Strategy, rules: BindingRules): Strategy {
  const metadataRules = { namespaced: rules.scope === "Namespaced", validateName: pathSegmentName };
  const strategy: Strategy = {
    ...base,
    validateName: pathSegmentName,
    metadataChecks: { create: "core", update: "own" },
    validate: (binding) => bindingErrors(binding, rules),
    validateUpdate: (binding, old) => [
      ...metadataErrors(binding, metadataRules),
      ...bindingErrors(binding, rules),
      ...metadataUpdateErrors(binding, old),
      ...roleRefUpdateErrors(binding, old),
    ],
  };
  return validateAsNew(strategy, rules.scope);
}
