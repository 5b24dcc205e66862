import {
  type FieldError,
  fieldInvalid,
  fieldLongerThan,
  fieldNotSupported,
  fieldRequired,
  fieldTooLong,
  fieldTooMany,
  fieldTypeInvalid,
} from "../../apimachinery/errors/field.ts";
import { goJson } from "../../apimachinery/go/go-json.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import { getKey, isJsonObject, type JsonObject, type JsonValue, jsonEqual } from "../../apimachinery/json.ts";
import type { Since } from "../../apimachinery/release.ts";
import type { Findings } from "../../apimachinery/validation/findings.ts";
import { addAll } from "../../apimachinery/validation/findings.ts";
import { rememberedByPart } from "../../sharing/remembered-by-part.ts";
import { addNumberErrors, isInt64, isInteger } from "./number-rules.ts";
import { addCombinations } from "./value-combinations.ts";
import { hasFormat } from "./value-formats.ts";
import { emptyResult, report, type ValueResult } from "./value-result.ts";
import { ValueSchema } from "./value-schema.ts";

/** A value as it was before an update; undefined where nothing can be compared. */
export type OldValue = JsonValue | undefined;

/**
 * Validates a value against an OpenAPI schema. Errors that stand in parts that equal the old ones are tolerated if `old` is
 * given. Properties are checked in the order of the schema; upstream's order is random. Upstream: kube-openapi,
 * pkg/validation/validate; apiextensions-apiserver, pkg/apiserver/validation/validation.go and ratcheting.go.
 */
export function addValueErrors(
  errors: Findings,
  schema: JsonObject,
  value: JsonValue,
  path: string,
  since: Since,
  old?: OldValue,
): void {
  addAll(errors, validateValue(schema, value, path, since, old).errors);
}

/** The result of all checks of one value. */
export function validateValue(
  schema: JsonObject,
  value: JsonValue,
  path: string,
  since: Since,
  old?: OldValue,
): ValueResult {
  return checked(valueSchemaOf(schema), value, path, since, old);
}

const valueSchemaOf = rememberedByPart((source: JsonObject) => new ValueSchema(source));

function checked(
  schema: ValueSchema,
  value: JsonValue,
  path: string,
  since: Since,
  old: OldValue,
): ValueResult {
  const result = emptyResult(since);
  addErrors(result, schema, value, path, old);
  return result;
}

function addErrors(
  result: ValueResult,
  schema: ValueSchema,
  value: JsonValue,
  path: string,
  old: OldValue,
): void {
  if (old !== undefined && jsonEqual(value, old)) return;
  addTypeErrors(result, schema, value, path);
  if (value === null) {
    addEnumErrors(result, schema, value, path);
    return;
  }
  // Each kind of check that applies to the value counts.
  const { combinations } = schema;
  result.checks += 2;
  if (combinations !== undefined) {
    const check = (alternative: ValueSchema) => checked(alternative, value, path, result.since, old);
    addCombinations(result, combinations, check, path);
  }
  if (typeof value === "string") addTextErrors(result, schema, value, path);
  else if (typeof value === "number" || typeof value === "bigint")
    addNumberErrors(result, schema, value, path);
  else if (Array.isArray(value)) addListErrors(result, schema, value, path, old);
  addEnumErrors(result, schema, value, path);
  result.checks += 1;
  if (isJsonObject(value)) addObjectErrors(result, schema, value, path, old);
  result.checks += 1;
}

/** The JSON type of a value in messages. */
export function jsonTypeOf(value: JsonValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "bigint" || typeof value === "number") return isInteger(value) ? "integer" : "number";
  return typeof value === "object" ? "object" : typeof value;
}

/** Upstream: kube-openapi, pkg/validation/validate/type.go. */
function addTypeErrors(result: ValueResult, schema: ValueSchema, value: JsonValue, path: string): void {
  const { types, format } = schema;
  if (types.length === 0 && format === "" && value !== null) return;
  const wrong = wrongTypeOf(schema, value);
  if (wrong === undefined) result.checks += 1;
  else {
    const [expected, actual] = wrong;
    const detail = `${path} in body must be of type ${expected}: ${goQuote(actual)}`;
    report(result, fieldTypeInvalid(shown(path), actual, detail));
  }
  if (value !== null) result.checks += 1;
}

/** What a value had to be, and what it is; undefined for a value of the right type. */
function wrongTypeOf(
  { types, format, isNullable }: ValueSchema,
  value: JsonValue,
): readonly [expected: string, actual: string] | undefined {
  const actual = jsonTypeOf(value);
  if (value === null) return types.length === 0 || isNullable ? undefined : [types.join(), actual];
  if (types.includes(actual) || (actual === "integer" && types.includes("number"))) return undefined;
  if (format !== "") {
    if (typeof value !== "string" && !Array.isArray(value)) return [format, numberFormatOf(value)];
    // Upstream takes lists for texts here.
    if (!types.includes("number") && !types.includes("integer")) return undefined;
  }
  return types.length === 0 ? undefined : [types.join(), actual];
}

/** The format that upstream reads off a value; empty unless it is a number. */
function numberFormatOf(value: JsonValue): string {
  if (typeof value !== "number" && typeof value !== "bigint") return "";
  return isInt64(value) ? "int64" : "float64";
}

/** The path of an error; the root has none, which upstream prints as a nil pointer. */
function shown(path: string): string {
  return path === "" ? "<nil>" : path;
}

/** Only the first error of a text is reported. */
function addTextErrors(result: ValueResult, schema: ValueSchema, text: string, path: string): void {
  result.checks += 1;
  report(result, textError(schema, text, path, result.since));
  const { format } = schema;
  if (format === "") return;
  result.checks += 1;
  if (hasFormat(text, format) !== false) return;
  report(result, fieldTypeInvalid(path, text, `${path} in body must be of type ${format}: ${goQuote(text)}`));
}

function textError(schema: ValueSchema, text: string, path: string, since: Since): FieldError | undefined {
  const { maxLength, minLength, pattern } = schema;
  // A character has at most two units, so few texts have to be counted.
  if (maxLength !== undefined && text.length > maxLength && characters(text) > maxLength) {
    return since("1.32") ? fieldTooLong(path, maxLength) : fieldLongerThan(path, maxLength);
  }
  if (minLength !== undefined && text.length < 2 * minLength && characters(text) < minLength) {
    return fieldInvalid(path, text, `${path} in body should be at least ${minLength} chars long`);
  }
  if (pattern === "" || schema.matches(text)) return undefined;
  return fieldInvalid(path, text, `${path} in body should match '${pattern}'`);
}

function characters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

function addListErrors(
  result: ValueResult,
  schema: ValueSchema,
  list: readonly JsonValue[],
  path: string,
  old: OldValue,
): void {
  result.checks += 2;
  const { items, minItems, maxItems } = schema;
  if (items !== undefined) {
    const oldOf = oldItems(schema.source, old);
    for (const [i, item] of list.entries()) addErrors(result, items, item, `${path}[${i}]`, oldOf(item));
  }
  if (minItems !== undefined && list.length < minItems) {
    report(result, fieldInvalid(path, list.length, `${path} in body should have at least ${minItems} items`));
  }
  if (maxItems !== undefined && list.length > maxItems) {
    report(result, fieldTooMany(path, list.length, maxItems));
  }
}

/** Finds the item before the update: by its keys in a map list. Items of other lists have none. */
export function oldItems(schema: JsonObject, old: OldValue): (item: JsonValue) => OldValue {
  const keys = schema["x-kubernetes-list-map-keys"];
  if (schema["x-kubernetes-list-type"] !== "map" || !Array.isArray(keys) || !Array.isArray(old)) {
    return () => undefined;
  }
  const identity = (item: JsonValue) =>
    goJson(keys.map((key) => (isJsonObject(item) && getKey(item, String(key))) || null));
  const known = new Map(old.map((item: JsonValue) => [identity(item), item]));
  return (item) => known.get(identity(item));
}

/** Messages show the values that an enum lists. */
function addEnumErrors(result: ValueResult, { allowed }: ValueSchema, value: JsonValue, path: string): void {
  if (allowed.length === 0 || allowed.some((one) => isAllowed(value, one))) return;
  const texts = allowed.map((one) => (typeof one === "string" ? one : goJson(one)));
  report(result, fieldNotSupported(shown(path), value, texts));
}

/** Upstream converts the value to the type of the one that is allowed: a float64 loses its fraction. Null is never allowed. */
function isAllowed(value: JsonValue, one: JsonValue): boolean {
  if (value === null) return false;
  if (typeof value === "number" && typeof one === "number" && isInt64(one)) return Math.trunc(value) === one;
  return jsonEqual(one, value);
}

function addObjectErrors(
  result: ValueResult,
  schema: ValueSchema,
  object: JsonObject,
  path: string,
  old: OldValue,
): void {
  result.checks += 1;
  const { minProperties, maxProperties } = schema;
  const keys = Object.keys(object);
  if (minProperties !== undefined && keys.length < minProperties) {
    const detail = `${path} in body should have at least ${minProperties} properties`;
    report(result, fieldInvalid(shown(path), keys.length, detail));
    if (!result.since("1.28")) return;
  }
  if (maxProperties !== undefined && keys.length > maxProperties) {
    report(result, fieldTooMany(shown(path), keys.length, maxProperties));
    if (!result.since("1.28")) return;
  }
  addEntryErrors(result, schema, object, keys, path, old);
  for (const name of schema.required) {
    if (!Object.hasOwn(object, name)) report(result, fieldRequired(childOf(path, name)));
  }
}

function addEntryErrors(
  result: ValueResult,
  schema: ValueSchema,
  object: JsonObject,
  keys: readonly string[],
  path: string,
  old: OldValue,
): void {
  const { declared, others, allowsOthers } = schema;
  const before = isJsonObject(old) ? old : undefined;
  const oldOf = (key: string) => before && getKey(before, key);
  // The errors of parts that have not changed are tolerated, so these parts need no path.
  const isKept = (key: string) => before !== undefined && object[key] === oldOf(key);
  const own: string[] = [];
  for (const key of keys) {
    if (Object.hasOwn(declared, key)) own.push(key);
    else if (others !== undefined && isKept(key)) continue;
    else if (others !== undefined)
      addErrors(result, others, object[key] ?? null, childOf(path, key), oldOf(key));
    else if (!allowsOthers) report(result, forbiddenProperty(childOf(path, key)));
  }
  for (const key of inOrderOf(schema, own)) {
    if (isKept(key)) continue;
    const property = schema.property(key);
    if (property !== undefined)
      addErrors(result, property, object[key] ?? null, childOf(path, key), oldOf(key));
  }
}

/** Properties in the order of the schema, which may have many more. */
function inOrderOf(schema: ValueSchema, keys: string[]): readonly string[] {
  if (keys.length < 2) return keys;
  const { order } = schema;
  return keys.sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
}

function forbiddenProperty(path: string): FieldError {
  return fieldInvalid(path, "", `${path} in body is a forbidden property`);
}

function childOf(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}
