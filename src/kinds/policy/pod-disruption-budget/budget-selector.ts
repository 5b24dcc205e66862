import { listAt, objectAt } from "../../../apimachinery/fields.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";

/** A label that no pod has, so that a selector can say in one version what an empty one says in the other. */
const key = "pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match";

/** What v1 has for an empty selector of v1beta1: no pods. */
export const matchNone: JsonObject = { matchExpressions: [{ key, operator: "Exists" }] };

/** What v1beta1 has for an empty selector of v1: every pod. */
export const matchAllInBeta: JsonObject = { matchExpressions: [{ key, operator: "DoesNotExist" }] };

/** Which pods a budget guards; undefined for none. */
export function budgetSelector(budget: KubeObject): JsonObject | undefined {
  return objectAt(budget, "spec", "selector");
}

/** The selector without the label; itself if it does not have it. */
export function withoutSpecialLabel(selector: JsonObject): JsonObject {
  const expressions = listAt(selector, "matchExpressions");
  const others = expressions.filter((expression) => expression["key"] !== key);
  if (others.length === expressions.length) return selector;
  const { matchExpressions: _dropped, ...rest } = selector;
  return others.length === 0 ? rest : { ...rest, matchExpressions: others };
}

/** What a version stores for a selector that a client wrote in it: the label says only what it is there to say. */
export function plainSelector(selector: JsonObject, apiVersion: string): JsonObject {
  const isBeta = apiVersion !== "policy/v1";
  if (jsonEqual(selector, isBeta ? matchAllInBeta : matchNone)) return selector;
  const stripped = withoutSpecialLabel(selector);
  // Before it is stored, it is a selector of v1, where an empty one is of every pod.
  const isOfAll = stripped !== selector && Object.keys(stripped).length === 0;
  return isBeta && isOfAll ? matchAllInBeta : stripped;
}
