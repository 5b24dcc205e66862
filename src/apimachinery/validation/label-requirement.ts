import { fieldInvalid } from "../errors/field.ts";
import { joinedWording } from "../errors/wording.ts";
import { go } from "../go/go-value.ts";
import { compareText } from "../text-order.ts";
import type { Findings } from "./findings.ts";
import { labelValueMessages, qualifiedNameMessages } from "./qualified-names.ts";

/** The labels of an object. */
export type Labels = { readonly [key: string]: string };

/** The operator between a key and its values, as selectors write it. */
export type LabelOperator = "=" | "==" | "!=" | "in" | "notin" | "exists" | "!" | "gt" | "lt";

/** One requirement of a label selector. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  /** No values for `exists` and `!`, one for comparisons, any number for `in` and `notin`. */
  readonly values: readonly string[];
}

const MAX_INT64 = 2n ** 63n - 1n;
const MIN_INT64 = -(2n ** 63n);

/** Validates the key and the values of a requirement. As upstream, the field paths are relative to it. */
export function addRequirementErrors(errors: Findings, requirement: LabelRequirement): void {
  const { key, operator, values } = requirement;
  if (operator === "gt" || operator === "lt") {
    values.forEach((value, i) => {
      if (parseInt64(value) !== undefined) return;
      const detail = "for 'Gt', 'Lt' operators, the value must be an integer";
      errors.push(fieldInvalid(`values[${i}]`, value, detail));
    });
  }
  if (values.length === 0 && (operator === "in" || operator === "notin")) {
    const detail = "for 'in', 'notin' operators, values set can't be empty";
    errors.push(fieldInvalid("values", go.stringSlice(values), detail));
  }
  values.forEach((value, i) => {
    const messages = labelValueMessages(value);
    if (messages.length > 0) errors.push(fieldInvalid(`values[${i}][${key}]`, value, messages.join("; ")));
  });
}

/** Validates the key of a requirement. */
export function addRequirementKeyErrors(errors: Findings, key: string, field: string): void {
  const messages = qualifiedNameMessages(key);
  if (messages.length !== 0) errors.push(fieldInvalid(field, key, joinedWording(messages, "; ")));
}

/** Compiles a requirement into a predicate over labels. */
export function compileRequirement(requirement: LabelRequirement): (labels: Labels) => boolean {
  const { key, operator, values } = requirement;
  const [first = ""] = values;
  switch (operator) {
    case "exists":
      return (labels) => labelOf(labels, key) !== undefined;
    case "!":
      return (labels) => labelOf(labels, key) === undefined;
    case "=":
    case "==":
      return (labels) => labels[key] === first;
    case "!=":
      return (labels) => labels[key] !== first;
    case "in":
      return isOneOf(key, values);
    case "notin": {
      const matches = isOneOf(key, values);
      return (labels) => !matches(labels);
    }
    case "gt":
    case "lt":
      return compileComparison(key, operator, first);
  }
}

/** Formats a requirement in the syntax of a selector. */
export function formatRequirement({ key, operator, values }: LabelRequirement): string {
  switch (operator) {
    case "exists":
      return key;
    case "!":
      return `!${key}`;
    case "in":
    case "notin":
      return `${key} ${operator} (${values.toSorted(compareText).join(",")})`;
    case "gt":
      return `${key}>${values.join(",")}`;
    case "lt":
      return `${key}<${values.join(",")}`;
    default:
      return `${key}${operator}${values.join(",")}`;
  }
}

/** The value of a label. A key such as `constructor` finds no inherited value, since those are not strings. */
function labelOf(labels: Labels, key: string): string | undefined {
  const value: unknown = labels[key];
  return typeof value === "string" ? value : undefined;
}

function isOneOf(key: string, values: readonly string[]): (labels: Labels) => boolean {
  if (values.length === 1) {
    const [only] = values;
    return (labels) => labels[key] === only;
  }
  const set = new Set(values);
  return (labels) => {
    const value = labelOf(labels, key);
    return value !== undefined && set.has(value);
  };
}

function compileComparison(key: string, operator: "gt" | "lt", operand: string): (labels: Labels) => boolean {
  const bound = parseInt64(operand);
  if (bound === undefined) return () => false;
  return (labels) => {
    const text = labelOf(labels, key);
    const value = text === undefined ? undefined : parseInt64(text);
    if (value === undefined) return false;
    return operator === "gt" ? value > bound : value < bound;
  };
}

/** Parses a number as Go's `ParseInt` does: base 10, optional sign, 64 bits. */
function parseInt64(text: string): number | bigint | undefined {
  if (!/^[+-]?[0-9]+$/.test(text)) return undefined;
  if (text.length <= 15) return Number(text);
  const value = BigInt(text.replace("+", ""));
  return value >= MIN_INT64 && value <= MAX_INT64 ? value : undefined;
}
