import {
  type FieldError,
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { textAt } from "../../../apimachinery/fields.ts";
import {
  getKey,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
} from "../../../apimachinery/json.ts";
import { utf8Length } from "../../../apimachinery/utf8.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import type { Activation, Outcome } from "../../../cel/program/program.ts";
import { Optional, optionalNone } from "../../../cel/values/value.ts";
import { type OldValue, oldItems } from "../value-validation.ts";
import type { CompiledRule } from "./compiled-rules.ts";
import { partOf, type RuleTree } from "./rule-tree.ts";

/** What all rules of one object may cost together, and one rule alone (apiserver, pkg/apis/cel/config.go). */
const objectBudget = 10_000_000;
const maxMessageLength = 5 * 1024;

/** What the rules of an object share. */
interface RuleRun {
  /** What remains for them; below zero, no further rule runs. */
  remaining: number;
  readonly isRatcheting: boolean;
}

/** A value with the one before the update, and whether rules that it passed before may be skipped. */
interface Checked {
  readonly value: JsonValue;
  readonly old: OldValue;
  readonly path: string;
  readonly isUnchanged: boolean;
}

/**
 * Evaluates the rules of a schema on an object: those of each part before those within it, in the order of the schema. Rules
 * that compare with the old value run where there is one. With the gate CRDValidationRatcheting, only those run on an unchanged part,
 * and those for which the old value is optional run without it. Upstream: apiextensions-apiserver,
 * pkg/apiserver/schema/cel/validation.go.
 */
export function addRuleErrors(
  errors: Findings,
  tree: RuleTree,
  [object, old]: readonly [object: JsonValue, old: OldValue],
  isRatcheting: boolean,
): void {
  const isUnchanged = isRatcheting && old !== undefined && jsonEqual(object, old);
  const run = { remaining: objectBudget, isRatcheting };
  addErrorsOf(errors, tree, { value: object, old, path: "", isUnchanged }, run);
}

function addErrorsOf(errors: Findings, tree: RuleTree, checked: Checked, run: RuleRun): void {
  for (const rule of tree.rules) {
    if (run.remaining < 0) return;
    addRuleError(errors, rule, tree, checked, run);
  }
  const { value, path } = checked;
  if (isJsonObject(value)) {
    for (const key of Object.keys(value)) {
      const part = partOf(tree, key);
      if (part !== undefined) addErrorsOf(errors, part, entryOf(checked, value, key, run), run);
    }
  } else if (Array.isArray(value) && tree.items !== undefined) {
    const oldOf = oldItems(tree.source, checked.old);
    for (const [i, item] of value.entries()) {
      addErrorsOf(errors, tree.items, partOfValue(checked, item, oldOf(item), index(path, i), run), run);
    }
  }
}

function entryOf(checked: Checked, object: JsonObject, key: string, run: RuleRun): Checked {
  const old = isJsonObject(checked.old) ? getKey(checked.old, key) : undefined;
  return partOfValue(checked, object[key] ?? null, old, child(checked.path, key), run);
}

function partOfValue(
  { isUnchanged }: Checked,
  value: JsonValue,
  old: OldValue,
  path: string,
  { isRatcheting }: RuleRun,
): Checked {
  const isSame = isRatcheting && old !== undefined && (isUnchanged || jsonEqual(value, old));
  return { value, old, path, isUnchanged: isSame };
}

function addRuleError(
  errors: Findings,
  rule: CompiledRule,
  tree: RuleTree,
  { value, old, path, isUnchanged }: Checked,
  run: RuleRun,
): void {
  const { expression, usesOldSelf, isOldSelfOptional, source } = rule;
  if (expression === undefined || rule.problem !== undefined || value === null) return;
  if (usesOldSelf && old === undefined && !(isOldSelfOptional && run.isRatcheting)) return;
  if (isUnchanged && !usesOldSelf) return;
  const activation = activationOf(value, old, rule);
  const outcome = expression.program.evaluate(activation);
  run.remaining -= outcome.cost;
  const field = path === "" ? "<nil>" : path;
  const text = textAt(source, "rule").trim();
  if (outcome.error?.includes("cost limit exceeded")) {
    const detail = `'${outcome.error}': no further validation rules will be run due to call cost exceeds limit for rule: ${text}`;
    errors.push(fieldInvalid(field, tree.type, detail));
    run.remaining = -1;
    return;
  }
  if (run.remaining < 0) {
    const detail =
      "validation failed due to running out of cost budget, no further validation rules will be run";
    errors.push(fieldInvalid(field, tree.type, detail));
    return;
  }
  if (outcome.value === true) return;
  const message = textAt(source, "message").trim();
  if (outcome.error !== undefined) {
    errors.push(fieldInvalid(field, tree.type, `${outcome.error} evaluating rule: ${message || text}`));
    return;
  }
  const own = ownMessage(rule, activation, run);
  const at = `${path}${textAt(source, "fieldPath")}`.replace(/^\./, "");
  errors.push(errorOf(source, at || "<nil>", tree.type, own || message || `failed rule: ${text}`));
}

function activationOf(value: JsonValue, old: OldValue, { isOldSelfOptional }: CompiledRule): Activation {
  if (!isOldSelfOptional) return { self: value, ...(old !== undefined && { oldSelf: old }) };
  return { self: value, oldSelf: old === undefined ? optionalNone : new Optional(old) };
}

/** The message that an expression yields, if it is one line that is not too long; otherwise empty. */
function ownMessage({ message }: CompiledRule, activation: Activation, run: RuleRun): string {
  if (message?.expression === undefined || message.problem !== undefined) return "";
  const outcome: Outcome = message.expression.program.evaluate(activation);
  run.remaining -= outcome.cost;
  const { value } = outcome;
  if (typeof value !== "string" || utf8Length(value) > maxMessageLength || /[\n\r]/.test(value)) return "";
  return value.trim();
}

function errorOf(source: JsonObject, field: string, type: string, message: string): FieldError {
  switch (source["reason"]) {
    case "FieldValueForbidden":
      return fieldForbidden(field, message);
    case "FieldValueRequired":
      return fieldRequired(field, message);
    case "FieldValueDuplicate":
      return fieldDuplicate(field, type);
    default:
      return fieldInvalid(field, type, message);
  }
}
