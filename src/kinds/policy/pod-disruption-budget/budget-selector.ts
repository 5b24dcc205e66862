import { listAt, objectAt } from "../../../apimachinery/fields.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";

/** A label that no pod has. A selector on it expresses in one version what an empty selector means in the other. */
const key = "pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match";

/** The form in v1 of an empty selector of v1beta1, which selects no pods. */
export const matchNone: JsonObject = { matchExpressions: [{ key, operator: "Exists" }] };

/** The form in v1beta1 of an empty selector of v1, which selects every pod. */
export const matchAllInBeta: JsonObject = { matchExpressions: [{ key, operator: "DoesNotExist" }] };

/** The selector of a PodDisruptionBudget; undefined if it is not set. */
export function budgetSelector(budget: KubeObject): JsonObject | undefined {
  return objectAt(budget, "spec", "selector");
}

/** The selector without requirements on the special label. */
export function withoutSpecialLabel(selector: JsonObject): JsonObject {
  const expressions = listAt(selector, "matchExpressions");
  const others = expressions.filter((expression) => expression["key"] !== key);
  if (others.length === expressions.length) return selector;
  const { matchExpressions: _dropped, ...rest } = selector;
  return others.length === 0 ? rest : { ...rest, matchExpressions: others };
}

/**
 * The selector as it is stored after a client wrote it in a version: other uses of the special label are dropped.
 * Upstream: pkg/apis/policy/v1beta1/conversion.go.
 */
export function plainSelector(selector: JsonObject, apiVersion: string): JsonObject {
  const isBeta = apiVersion !== "policy/v1";
  if (jsonEqual(selector, isBeta ? matchAllInBeta : matchNone)) return selector;
  const stripped = withoutSpecialLabel(selector);
  // The stripped selector has the meaning of v1, where an empty one selects every pod.
  const selectsAll = stripped !== selector && Object.keys(stripped).length === 0;
  return isBeta && selectsAll ? matchAllInBeta : stripped;
}
