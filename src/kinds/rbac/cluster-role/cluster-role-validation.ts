import { type FieldError, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { labelSelectorErrors } from "../../../apimachinery/selectors/label-selector-object.ts";
import { index } from "../../../apimachinery/validation/field-path.ts";
import { addSelector } from "../../findings/findings.ts";
import { policyRuleErrors } from "../role/policy-rule-validation.ts";

const roleSelectors = "aggregationRule.clusterRoleSelectors";

/**
 * Upstream: pkg/apis/rbac/validation/validation.go, ValidateClusterRole. If the old role has an invalid label value in
 * one of its selectors, the new role may have some too.
 */
export function clusterRoleErrors(role: KubeObject, old?: KubeObject): readonly FieldError[] {
  const allowsInvalidValues = selectorsOf(old).some(
    (selector) => labelSelectorErrors(selector, "").length > 0,
  );
  return [...policyRuleErrors(role, "Cluster"), ...aggregationErrors(role, allowsInvalidValues)];
}

function aggregationErrors(object: KubeObject, allowsInvalidValues: boolean): readonly FieldError[] {
  if (objectAt(object, "aggregationRule") === undefined) return [];
  const selectors = selectorsOf(object);
  if (selectors.length === 0) {
    const detail = "at least one clusterRoleSelector required if aggregationRule is non-nil";
    return [fieldRequired(roleSelectors, detail)];
  }
  const errors: FieldError[] = [];
  for (const [i, selector] of selectors.entries()) {
    addSelector(errors, selector, index(roleSelectors, i), { allowsInvalidValues });
  }
  return errors;
}

function selectorsOf(object: KubeObject | undefined): readonly JsonObject[] {
  return listAt(object ?? {}, "aggregationRule", "clusterRoleSelectors");
}
