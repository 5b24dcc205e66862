import { fieldForbidden, fieldInvalid, fieldRequired } from "../errors/field.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { child, index } from "../validation/field-path.ts";
import { collectErrors, type Findings } from "../validation/findings.ts";
import { addLabelErrors, addLabelNameErrors } from "../validation/label-errors.ts";
import type { LabelOperator, LabelRequirement } from "../validation/label-requirement.ts";
import { labelValueMessages } from "../validation/qualified-names.ts";
import { everyLabel, type LabelSelector, labelSelector, noLabel } from "./label-selector.ts";

/** Values that validation accepts because the stored object has such values already. */
export interface SelectorLeniency {
  readonly allowsInvalidValues: boolean;
}

/** An item of matchExpressions. */
interface MatchExpression {
  readonly key: string;
  readonly operator: string;
  readonly values: readonly string[];
}

const OPERATORS: ReadonlyMap<string, LabelOperator> = new Map([
  ["In", "in"],
  ["NotIn", "notin"],
  ["Exists", "exists"],
  ["DoesNotExist", "!"],
]);

/**
 * The selector of a LabelSelector object: `{ matchLabels, matchExpressions }`. An absent one matches nothing, an
 * empty one everything, and one with an invalid expression nothing.
 */
export function labelSelectorFromObject(value: JsonValue | undefined): LabelSelector {
  if (!isJsonObject(value)) return noLabel;
  const requirements: LabelRequirement[] = [];
  for (const [key, label] of Object.entries(matchLabels(value))) {
    requirements.push({ key, operator: "=", values: [label] });
  }
  for (const { key, operator, values } of matchExpressions(value)) {
    const known = OPERATORS.get(operator);
    if (known === undefined || (known === "in" && values.length === 0)) return noLabel;
    requirements.push({ key, operator: known, values });
  }
  return requirements.length === 0 ? everyLabel : labelSelector(requirements);
}

/** A LabelSelector object as tables show it. */
export function formatLabelSelectorObject(value: JsonValue | undefined): string {
  const { text } = labelSelectorFromObject(value);
  return text === "" ? "<none>" : text;
}

/** Validates a LabelSelector object. Upstream: `ValidateLabelSelector` in k8s.io/apimachinery. */
export function addLabelSelectorErrors(errors: Findings, value: JsonValue | undefined, field: string): void {
  if (!isJsonObject(value)) return;
  addLabelErrors(errors, matchLabels(value), child(field, "matchLabels"));
  for (const [i, expression] of matchExpressions(value).entries()) {
    addExpressionErrors(errors, expression, index(child(field, "matchExpressions"), i));
  }
}

/** Whether a LabelSelector object has no errors. A missing selector has none: it matches nothing. */
export function isValidLabelSelector(value: JsonValue | undefined): boolean {
  return collectErrors((errors) => addLabelSelectorErrors(errors, value, "")).length === 0;
}

/** Validates a LabelSelector object that may keep the values it has already. */
export function addSelector(
  errors: Findings,
  selector: JsonValue | undefined,
  field: string,
  { allowsInvalidValues }: SelectorLeniency,
): void {
  for (const error of collectErrors((found) => addLabelSelectorErrors(found, selector, field))) {
    const isValue = error.type === "FieldValueInvalid" && /\.values\[\d+\]$/.test(error.field);
    if (!isValue || !allowsInvalidValues) errors.push(error);
  }
}

function addExpressionErrors(errors: Findings, expression: MatchExpression, field: string): void {
  const { operator } = expression;
  if (OPERATORS.has(operator)) {
    addRequirementObjectErrors(errors, expression, field);
    return;
  }
  const unknown = fieldInvalid(child(field, "operator"), operator, "not a valid selector operator");
  errors.push(unknown);
  addRequirementObjectErrors(errors, expression, field);
}

/** Validates a requirement, with any operator. */
export function addOpenRequirementErrors(errors: Findings, requirement: JsonObject, field: string): void {
  addRequirementObjectErrors(errors, expressionOf(requirement), field);
}

function addRequirementObjectErrors(
  errors: Findings,
  { key, operator, values }: MatchExpression,
  field: string,
): void {
  addOperatorValuesErrors(errors, operator, values, field);
  addLabelNameErrors(errors, key, child(field, "key"));
  for (const [i, value] of values.entries()) {
    for (const message of labelValueMessages(value)) {
      errors.push(fieldInvalid(index(child(field, "values"), i), value, message));
    }
  }
}

/** Adds errors if an operator has values that it must not have, or lacks those it needs. Unknown operators are ignored. */
export function addOperatorValuesErrors(
  errors: Findings,
  operator: string,
  values: readonly string[],
  field: string,
): void {
  const path = child(field, "values");
  switch (OPERATORS.get(operator)) {
    case undefined:
      return;
    case "in":

    case "notin":
      if (values.length > 0) return;
      errors.push(fieldRequired(path, "must be specified when `operator` is 'In' or 'NotIn'"));
      return;
    default:
      if (values.length === 0) return;
      errors.push(fieldForbidden(path, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
  }
}

function matchLabels(selector: JsonObject): { [key: string]: string } {
  const labels = selector.matchLabels;
  if (!isJsonObject(labels)) return {};
  const entries = Object.entries(labels).map(([key, value]): [string, string] => [key, textOf(value)]);
  return Object.fromEntries(entries);
}

function matchExpressions(selector: JsonObject): MatchExpression[] {
  const expressions = selector.matchExpressions;
  if (!Array.isArray(expressions)) return [];
  return expressions.filter(isJsonObject).map(expressionOf);
}

function expressionOf({ key, operator, values }: JsonObject): MatchExpression {
  return {
    key: textOf(key),
    operator: textOf(operator),
    values: Array.isArray(values) ? values.map(textOf) : [],
  };
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
