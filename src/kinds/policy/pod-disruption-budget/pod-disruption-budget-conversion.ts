import { structAt } from "../../../apimachinery/fields.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../../apimachinery/object-meta.ts";
import type { OwnConversion } from "../../../registry/contract/own-conversion.ts";
import { budgetSelector, matchAllInBeta, matchNone, withoutSpecialLabel } from "./budget-selector.ts";

/** PodDisruptionBudgets that are stored as v1, as v1beta1 had them: there, an empty selector was of no pod. */
export const podDisruptionBudgetV1beta1: OwnConversion = { fromStored: toBeta, toStored: fromBeta };

/** PodDisruptionBudgets that are stored as v1beta1, as v1 has them: there, an empty selector is of every pod. */
export const podDisruptionBudgetV1: OwnConversion = { fromStored: fromBeta, toStored: toBeta };

function fromBeta<T extends KubeObject | MutableKubeObject>(budget: T): T {
  return withSelector(budget, (selector) => {
    if (jsonEqual(selector, {})) return matchNone;
    return jsonEqual(selector, matchAllInBeta) ? {} : withoutSpecialLabel(selector);
  });
}

/** What is only the label is an empty selector of v1 before it becomes one of v1beta1. */
function toBeta<T extends KubeObject | MutableKubeObject>(budget: T): T {
  return withSelector(budget, (selector) => {
    if (jsonEqual(selector, matchNone)) return {};
    const stripped = withoutSpecialLabel(selector);
    return jsonEqual(stripped, {}) ? matchAllInBeta : stripped;
  });
}

function withSelector<T extends KubeObject | MutableKubeObject>(
  budget: T,
  convert: (selector: JsonObject) => JsonObject,
): T {
  const selector = budgetSelector(budget);
  return selector === undefined
    ? budget
    : { ...budget, spec: { ...structAt(budget, "spec"), selector: convert(selector) } };
}
