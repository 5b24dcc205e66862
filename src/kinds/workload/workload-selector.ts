import { fieldInvalid, fieldRequired } from "../../apimachinery/errors/field.ts";
import { objectAt, sizeAt } from "../../apimachinery/fields.ts";
import { goLabelSelector, goTextMap, plainValue, typedValue } from "../../apimachinery/go/go-type.ts";
import { isJsonObject, type JsonObject, jsonEqual } from "../../apimachinery/json.ts";
import type { LabelSelector } from "../../apimachinery/selectors/label-selector.ts";
import {
  labelSelectorErrors,
  labelSelectorFromObject,
} from "../../apimachinery/selectors/label-selector-object.ts";
import { child } from "../../apimachinery/validation/field-path.ts";
import type { Findings } from "../findings/findings.ts";
import { stringsAt } from "../findings/string-map.ts";

const selectorPath = "spec.selector";

/** A selector has to be there and to select something; `kind` is how upstream calls the workload here. */
export function addSelectorOfWorkload(errors: Findings, spec: JsonObject, kind: string): void {
  const { selector } = spec;
  if (!isJsonObject(selector)) {
    errors.push(fieldRequired(selectorPath));
    return;
  }
  errors.push(...labelSelectorErrors(selector, selectorPath));
  addUnlessSelective(errors, selector, kind);
}

/** A selector that is there has to select something. */
export function addUnlessSelective(errors: Findings, selector: JsonObject, kind: string): void {
  if (sizeAt(selector, "matchLabels") + sizeAt(selector, "matchExpressions") > 0) return;
  const shown = typedValue(goLabelSelector, selector);
  errors.push(fieldInvalid(selectorPath, shown, `empty selector is invalid for ${kind}`));
}

/** The selector, if it can be understood; that it cannot is a finding of its own. */
export function understoodSelector(
  errors: Findings,
  spec: JsonObject,
  detail: string,
): LabelSelector | undefined {
  const { selector } = spec;
  if (isUnderstood(selector)) return labelSelectorFromObject(selector);
  errors.push(fieldInvalid(selectorPath, typedValue(goLabelSelector, selector), detail));
  return undefined;
}

/** Whether a selector can be asked; one that is absent can, and matches nothing. */
export function isUnderstood(selector: JsonObject[string] | undefined): boolean {
  return labelSelectorErrors(selector, selectorPath).length === 0;
}

/** The pods have to be those that the workload selects. */
export function addUnlessSelected(
  errors: Findings,
  template: JsonObject,
  selector: LabelSelector,
  path: string,
): void {
  if (selector.matches(stringsAt(template, "metadata", "labels"))) return;
  const labels = plainValue(goTextMap, objectAt(template, "metadata", "labels"));
  const detail = "`selector` does not match template `labels`";
  errors.push(fieldInvalid(child(path, "metadata", "labels"), labels, detail));
}

/** A selector stays as it is: pods that it no longer selected would be left alone. */
export function addIfSelectorChanged(errors: Findings, spec: JsonObject, old: JsonObject): void {
  const { selector } = spec;
  if (jsonEqual(selector ?? null, old["selector"] ?? null)) return;
  errors.push(fieldInvalid(selectorPath, typedValue(goLabelSelector, selector), "field is immutable"));
}
