import { structAt } from "../../../apimachinery/fields.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../../apimachinery/object-meta.ts";
import type { OwnConversion } from "../../../registry/contract/own-conversion.ts";
import { budgetSelector, matchAllInBeta, matchNone, withoutSpecialLabel } from "./budget-selector.ts";

/** policy/v1beta1 of a stored policy/v1. In v1beta1, an empty selector selects no pods. */
export const podDisruptionBudgetV1beta1: OwnConversion = { fromStored: toBeta, toStored: fromBeta };

/** policy/v1 of a stored policy/v1beta1. In v1, an empty selector selects every pod. */
export const podDisruptionBudgetV1: OwnConversion = { fromStored: fromBeta, toStored: toBeta };

function fromBeta<T extends KubeObject | MutableKubeObject>(budget: T): T {
  return withSelector(budget, (selector) => {
    if (jsonEqual(selector, {})) return matchNone;
    return jsonEqual(selector, matchAllInBeta) ? {} : withoutSpecialLabel(selector);
  });
}

/** A selector with only the special label becomes an empty selector of v1, and then one of v1beta1. */
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
