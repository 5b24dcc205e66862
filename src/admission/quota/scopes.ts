import { listAt, structAt, textAt, textsAt } from "../../apimachinery/fields.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { QuotaEvaluator, ScopeRequirement } from "../../registry/contract/quota-evaluator.ts";

/** Whether a quota's scopes include this object. */
export function isInScope(
  quota: KubeObject,
  evaluator: QuotaEvaluator | undefined,
  object: KubeObject,
): boolean {
  const requirements = requirementsOf(quota);
  return requirements.every((requirement) => evaluator?.matchesScope?.(object, requirement) ?? false);
}

function requirementsOf(quota: KubeObject): readonly ScopeRequirement[] {
  const spec = structAt(quota, "spec");
  const scopes = textsAt(spec, "scopes").map((scope) => ({ scope, operator: "Exists", values: [] }));
  const expressions = listAt(spec, "scopeSelector", "matchExpressions").map((expression) => ({
    scope: textAt(expression, "scopeName"),
    operator: textAt(expression, "operator"),
    values: textsAt(expression, "values"),
  }));
  return [...scopes, ...expressions];
}
