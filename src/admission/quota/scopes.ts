import { listAt, structAt, textAt, textsAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { QuotaEvaluator, ScopeRequirement } from "../../registry/contract/quota-evaluator.ts";

/** Whether a quota's scopes include this object. */
export function isInScope(
  quota: KubeObject,
  evaluator: QuotaEvaluator | undefined,
  object: KubeObject,
): boolean {
  const requirements = scopeRequirements(quota);
  return requirements.every((requirement) => evaluator?.matchesScope?.(object, requirement) ?? false);
}

/** The conditions of a quota. */
export function scopeRequirements(quota: KubeObject): readonly ScopeRequirement[] {
  const spec = structAt(quota, "spec");
  const scopes = textsAt(spec, "scopes").map((scope) => ({ scope, operator: "Exists", values: [] }));
  return [...scopes, ...requirementsIn(listAt(spec, "scopeSelector", "matchExpressions"))];
}

/** The conditions in a list of ScopedResourceSelectorRequirements. */
export function requirementsIn(expressions: readonly JsonObject[]): readonly ScopeRequirement[] {
  return expressions.map((expression) => ({
    scope: textAt(expression, "scopeName"),
    operator: textAt(expression, "operator"),
    values: textsAt(expression, "values"),
  }));
}
