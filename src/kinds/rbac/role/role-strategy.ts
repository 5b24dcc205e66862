import type { FieldError } from "../../../apimachinery/errors/field.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { pathSegmentName } from "../../../apimachinery/validation/names.ts";
import { metadataErrors, metadataUpdateErrors } from "../../../registry/contract/metadata-errors.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { addPolicyRules, type RoleScope } from "./policy-rule-validation.ts";

export function roleStrategy(base: Strategy): Strategy {
  return rbacRoleStrategy(base, "Namespaced", roleErrors);
}

function roleErrors(role: KubeObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  addPolicyRules(errors, role, "Namespaced");
  return errors;
}

/** `old` is undefined on create. */
export type RoleValidation = (role: KubeObject, old?: KubeObject) => readonly FieldError[];

/** What roles and cluster roles have in common. */
export function rbacRoleStrategy(base: Strategy, scope: RoleScope, validateRole: RoleValidation): Strategy {
  const metadataRules = { namespaced: scope === "Namespaced", validateName: pathSegmentName };
  return {
    ...base,
    validateName: pathSegmentName,
    metadataChecks: { create: "core", update: "own" },
    validate: (role) => validateRole(role),
    // Upstream validates the whole role twice on update, so each error is reported twice.
    validateUpdate: (role, old) => {
      const errors = [...metadataErrors(role, metadataRules), ...validateRole(role, old)];
      return [...errors, ...errors, ...metadataUpdateErrors(role, old)];
    },
  };
}
