import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { addAll, type Findings } from "../../../apimachinery/validation/findings.ts";
import { pathSegmentName } from "../../../apimachinery/validation/names.ts";
import { addMetadataErrors, addMetadataUpdateErrors } from "../../../registry/contract/metadata-errors.ts";
import type { StrategyEnvironment } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { authorizeRole } from "./authorize-role.ts";
import { addPolicyRules, type RoleScope } from "./policy-rule-validation.ts";

export function roleStrategy(base: Strategy, environment: StrategyEnvironment): Strategy {
  const authorizeWrite = authorizeRole("roles", environment);
  return { ...rbacRoleStrategy(base, "Namespaced", addRoleErrors), authorizeWrite };
}

function addRoleErrors(errors: Findings, role: KubeObject): void {
  addPolicyRules(errors, role, "Namespaced");
}

/** `old` is undefined on create. */
export type RoleValidation = (errors: Findings, role: KubeObject, old?: KubeObject) => void;

/** What roles and cluster roles have in common. */
export function rbacRoleStrategy(base: Strategy, scope: RoleScope, validateRole: RoleValidation): Strategy {
  const metadataRules = { namespaced: scope === "Namespaced", validateName: pathSegmentName };
  return {
    ...base,
    validateName: pathSegmentName,
    metadataChecks: { create: "core", update: "own" },
    validate: (errors, role) => validateRole(errors, role),
    // Upstream validates the whole role twice on update, so each error is reported twice.
    validateUpdate: (errors, role, old) => {
      const once: Findings = [];
      addMetadataErrors(once, role, metadataRules);
      validateRole(once, role, old);
      addAll(errors, once);
      addAll(errors, once);
      addMetadataUpdateErrors(errors, role, old);
    },
  };
}
