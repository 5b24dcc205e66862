import { pathSegmentName } from "../../../apimachinery/validation/names.ts";
import { addMetadataErrors, addMetadataUpdateErrors } from "../../../registry/contract/metadata-errors.ts";
import type { StrategyEnvironment } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { validateAsNew } from "../../../registry/contract/validate-as-new.ts";
import { authorizeBinding } from "./authorize-binding.ts";
import { addBindingErrors, addRoleRefUpdateErrors, type BindingRules } from "./role-binding-validation.ts";

export function roleBindingStrategy(base: Strategy, environment: StrategyEnvironment): Strategy {
  const authorizeWrite = authorizeBinding("rolebindings", environment);
  return {
    ...bindingStrategy(base, { scope: "Namespaced", roleKinds: ["Role", "ClusterRole"] }),
    authorizeWrite,
  };
}

/** What role bindings and cluster role bindings have in common. */
export function bindingStrategy(base: Strategy, rules: BindingRules): Strategy {
  const metadataRules = { namespaced: rules.scope === "Namespaced", validateName: pathSegmentName };
  const strategy: Strategy = {
    ...base,
    validateName: pathSegmentName,
    metadataChecks: { create: "core", update: "own" },
    validate: (errors, binding) => addBindingErrors(errors, binding, rules),
    validateUpdate: (errors, binding, old) => {
      addMetadataErrors(errors, binding, metadataRules);
      addBindingErrors(errors, binding, rules);
      addMetadataUpdateErrors(errors, binding, old);
      addRoleRefUpdateErrors(errors, binding, old);
    },
  };
  return validateAsNew(strategy, rules.scope);
}
