import { type FieldError, fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { listAt, sizeAt, textsAt } from "../../../apimachinery/fields.ts";
import { go } from "../../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";

/** Whether the rules are those of a Role or of a ClusterRole. */
export type RoleScope = "Cluster" | "Namespaced";

/** The rules of a role. Upstream: pkg/apis/rbac/validation/validation.go, ValidatePolicyRule. */
export function policyRuleErrors(role: KubeObject, scope: RoleScope): FieldError[] {
  return listAt(role, "rules").flatMap((rule, i) => [
    ...verbErrors(rule, index("rules", i)),
    ...(sizeAt(rule, "nonResourceURLs") > 0
      ? urlErrors(rule, index("rules", i), scope)
      : resourceErrors(rule, index("rules", i))),
  ]);
}

function verbErrors(rule: JsonObject, at: string): FieldError[] {
  if (sizeAt(rule, "verbs") > 0) return [];
  return [fieldRequired(child(at, "verbs"), "verbs must contain at least one value")];
}

function urlErrors(rule: JsonObject, at: string, scope: RoleScope): FieldError[] {
  const field = child(at, "nonResourceURLs");
  const shown = go.stringSlice(textsAt(rule, "nonResourceURLs"));
  const hasResources = ["apiGroups", "resources", "resourceNames"].some((name) => sizeAt(rule, name) > 0);
  const details = [
    ...(scope === "Namespaced" ? ["namespaced rules cannot apply to non-resource URLs"] : []),
    ...(hasResources ? ["rules cannot apply to both regular resources and non-resource URLs"] : []),
  ];
  return details.map((detail) => fieldInvalid(field, shown, detail));
}

function resourceErrors(rule: JsonObject, at: string): FieldError[] {
  const errors: FieldError[] = [];
  if (sizeAt(rule, "apiGroups") === 0) {
    errors.push(fieldRequired(child(at, "apiGroups"), "resource rules must supply at least one api group"));
  }
  if (sizeAt(rule, "resources") === 0) {
    errors.push(fieldRequired(child(at, "resources"), "resource rules must supply at least one resource"));
  }
  return errors;
}
