import { fieldInvalid, fieldRequired } from "../../apimachinery/errors/field.ts";
import { objectAt, sizeAt, stringsAt } from "../../apimachinery/fields.ts";
import { plainValue, typedValue } from "../../apimachinery/go/go-value.ts";
import { isJsonObject, type JsonObject, jsonEqual } from "../../apimachinery/json.ts";
import type { LabelSelector } from "../../apimachinery/selectors/label-selector.ts";
import {
  addLabelSelectorErrors,
  isValidLabelSelector,
  labelSelectorFromObject,
} from "../../apimachinery/selectors/label-selector-object.ts";
import { child } from "../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../apimachinery/validation/findings.ts";

const selectorPath = "spec.selector";

/** The selector is required and must not be empty. `kind` is the word for the workload in upstream's message. */
export function addSelectorErrors(errors: Findings, spec: JsonObject, kind: string): void {
  const { selector } = spec;
  if (!isJsonObject(selector)) {
    errors.push(fieldRequired(selectorPath));
    return;
  }
  addLabelSelectorErrors(errors, selector, selectorPath);
  addIfSelectorEmpty(errors, selector, kind);
}

/** A selector without requirements is not allowed. */
export function addIfSelectorEmpty(errors: Findings, selector: JsonObject, kind: string): void {
  if (sizeAt(selector, "matchLabels") + sizeAt(selector, "matchExpressions") > 0) return;
  const shown = typedValue("v1.LabelSelector", selector);
  errors.push(fieldInvalid(selectorPath, shown, `empty selector is invalid for ${kind}`));
}

/** The parsed selector. An invalid one is undefined, and adds an error. */
export function parsedSelector(
  errors: Findings,
  spec: JsonObject,
  detail: string,
): LabelSelector | undefined {
  const { selector } = spec;
  if (isValidLabelSelector(selector)) return labelSelectorFromObject(selector);
  errors.push(fieldInvalid(selectorPath, typedValue("v1.LabelSelector", selector), detail));
  return undefined;
}

/** The selector must match the labels of the pod template. */
export function addUnlessSelectorMatches(
  errors: Findings,
  template: JsonObject,
  selector: LabelSelector,
  path: string,
): void {
  if (selector.matches(stringsAt(template, "metadata", "labels"))) return;
  const labels = plainValue("map[string]string", objectAt(template, "metadata", "labels"));
  const detail = "`selector` does not match template `labels`";
  errors.push(fieldInvalid(child(path, "metadata", "labels"), labels, detail));
}

/** The selector is immutable: a change would orphan pods. */
export function addIfSelectorChanged(errors: Findings, spec: JsonObject, old: JsonObject): void {
  const { selector } = spec;
  if (jsonEqual(selector ?? null, old["selector"] ?? null)) return;
  errors.push(fieldInvalid(selectorPath, typedValue("v1.LabelSelector", selector), "field is immutable"));
}
