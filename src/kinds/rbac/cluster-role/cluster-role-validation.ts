import { fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { addSelector, isValidLabelSelector } from "../../../apimachinery/selectors/label-selector-object.ts";
import { index } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { addPolicyRules } from "../role/policy-rule-validation.ts";

const roleSelectors = "aggregationRule.clusterRoleSelectors";

/**
 * Upstream: pkg/apis/rbac/validation/validation.go, ValidateClusterRole. If the old role has an invalid label value in
 * one of its selectors, the new role may have some too.
 */
export function addClusterRoleErrors(errors: Findings, role: KubeObject, old?: KubeObject): void {
  addPolicyRules(errors, role, "Cluster");
  if (objectAt(role, "aggregationRule") !== undefined) addClusterRoleSelectors(errors, role, old);
}

function addClusterRoleSelectors(errors: Findings, role: KubeObject, old: KubeObject | undefined): void {
  const selectors = selectorsOf(role);
  if (selectors.length === 0) {
    const detail = "at least one clusterRoleSelector required if aggregationRule is non-nil";
    errors.push(fieldRequired(roleSelectors, detail));
  }
  const allowsInvalidValues = !selectorsOf(old).every(isValidLabelSelector);
  for (const [i, selector] of selectors.entries()) {
    const field = index(roleSelectors, i);
    addSelector(errors, selector, field, { allowsInvalidValues });
    // Upstream shows the selector that it could not make, which is nil.
    if (!isValidLabelSelector(selector))
      errors.push(fieldInvalid(field, undefined, "invalid label selector."));
  }
}

function selectorsOf(object: KubeObject | undefined): readonly JsonObject[] {
  return listAt(object ?? {}, "aggregationRule", "clusterRoleSelectors");
}
