import { fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { listAt, sizeAt, textsAt } from "../../../apimachinery/fields.ts";
import { go } from "../../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";

/** Whether the rules are those of a Role or of a ClusterRole. */
export type RoleScope = "Cluster" | "Namespaced";

/** Validates the rules of a role. Upstream: pkg/apis/rbac/validation/validation.go, ValidatePolicyRule. */
export function addPolicyRules(errors: Findings, role: KubeObject, scope: RoleScope): void {
  for (const [i, rule] of listAt(role, "rules").entries()) {
    const at = index("rules", i);
    if (sizeAt(rule, "verbs") === 0) {
      errors.push(fieldRequired(child(at, "verbs"), "verbs must contain at least one value"));
    }
    if (sizeAt(rule, "nonResourceURLs") > 0) addNonResourceRule(errors, rule, at, scope);
    else addResourceRule(errors, rule, at);
  }
}

function addNonResourceRule(errors: Findings, rule: JsonObject, at: string, scope: RoleScope): void {
  const field = child(at, "nonResourceURLs");
  const shown = go.stringSlice(textsAt(rule, "nonResourceURLs"));
  if (scope === "Namespaced") {
    errors.push(fieldInvalid(field, shown, "namespaced rules cannot apply to non-resource URLs"));
  }
  if (["apiGroups", "resources", "resourceNames"].some((name) => sizeAt(rule, name) > 0)) {
    const detail = "rules cannot apply to both regular resources and non-resource URLs";
    errors.push(fieldInvalid(field, shown, detail));
  }
}

function addResourceRule(errors: Findings, rule: JsonObject, at: string): void {
  if (sizeAt(rule, "apiGroups") === 0) {
    errors.push(fieldRequired(child(at, "apiGroups"), "resource rules must supply at least one api group"));
  }
  if (sizeAt(rule, "resources") === 0) {
    errors.push(fieldRequired(child(at, "resources"), "resource rules must supply at least one resource"));
  }
}
