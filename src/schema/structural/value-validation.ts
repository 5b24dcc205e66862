import {
  type FieldError,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  fieldTooLong,
  fieldTooMany,
  fieldTypeInvalid,
} from "../../apimachinery/errors/field.ts";
import { goJson } from "../../apimachinery/go/go-json.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import { goNumber } from "../../apimachinery/go/go-value.ts";
import { getKey, isJsonObject, type JsonObject, type JsonValue, jsonEqual } from "../../apimachinery/json.ts";
import type { Findings } from "../../apimachinery/validation/findings.ts";
import { addAll } from "../../apimachinery/validation/findings.ts";
import { rememberedByPart } from "../../sharing/remembered-by-part.ts";
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
  old?: OldValue,
): void {
  addAll(errors, validateValue(schema, value, path, old).errors);
}

/** The result of all checks of one value. */
export function validateValue(
  schema: JsonObject,
  value: JsonValue,
  path: string,
  old?: OldValue,
): ValueResult {
  return checked(valueSchemaOf(schema), value, path, old);
}

const valueSchemaOf = rememberedByPart((source: JsonObject) => new ValueSchema(source));

function checked(schema: ValueSchema, value: JsonValue, path: string, old: OldValue): ValueResult {
  const result = emptyResult();
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
  // Null passes or fails by its type alone.
  if (value === null) return;
  const { combinations } = schema;
  if (combinations !== undefined) {
    addCombinations(result, combinations, (alternative) => checked(alternative, value, path, old), path);
  }
  if (typeof value === "string") addTextErrors(result, schema, value, path);
  else if (typeof value === "number" || typeof value === "bigint")
    addNumberErrors(result, schema, value, path);
  else if (Array.isArray(value)) addListErrors(result, schema, value, path, old);
  addEnumErrors(result, schema, value, path);
  if (isJsonObject(value)) addObjectErrors(result, schema, value, path, old);
}

/** The JSON type of a value in messages. */
export function jsonTypeOf(value: JsonValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "bigint") return "integer";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value === "object" ? "object" : typeof value;
}

function addTypeErrors(result: ValueResult, schema: ValueSchema, value: JsonValue, path: string): void {
  const { types } = schema;
  if (types.length === 0) return;
  result.checks += 1;
  const type = jsonTypeOf(value);
  if (types.includes(type) || (type === "integer" && types.includes("number"))) return;
  if (value === null && schema.isNullable) return;
  report(result, wrongType(path, types.join(","), type));
}

function wrongType(path: string, expected: string, actual: string): FieldError {
  return fieldTypeInvalid(
    shown(path),
    actual,
    `${path} in body must be of type ${expected}: ${goQuote(actual)}`,
  );
}

/** The path of an error; the root has none, which upstream prints as a nil pointer. */
function shown(path: string): string {
  return path === "" ? "<nil>" : path;
}

/** Only the first error of a text is reported. */
function addTextErrors(result: ValueResult, schema: ValueSchema, text: string, path: string): void {
  result.checks += 1;
  report(result, textError(schema, text, path));
  const { format } = schema;
  if (format === "" || hasFormat(text, format) !== false) return;
  report(result, fieldTypeInvalid(path, text, `${path} in body must be of type ${format}: ${goQuote(text)}`));
}

function textError(schema: ValueSchema, text: string, path: string): FieldError | undefined {
  const { maxLength, minLength, pattern } = schema;
  // A character has at most two units, so few texts have to be counted.
  if (maxLength !== undefined && text.length > maxLength && characters(text) > maxLength) {
    return fieldTooLong(path, maxLength);
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

function addNumberErrors(
  result: ValueResult,
  schema: ValueSchema,
  value: number | bigint,
  path: string,
): void {
  result.checks += 1;
  const { multipleOf, maximum, minimum } = schema;
  const number = Number(value);
  const add = (rule: string, bound: number) =>
    report(result, fieldInvalid(path, value, `${path} in body should be ${rule} ${goNumber(bound)}`));
  if (multipleOf !== undefined && !Number.isInteger(number / multipleOf)) add("a multiple of", multipleOf);
  if (maximum !== undefined) {
    if (schema.isMaximumExclusive) {
      if (number >= maximum) add("less than", maximum);
    } else if (number > maximum) add("less than or equal to", maximum);
  }
  if (minimum === undefined) return;
  if (schema.isMinimumExclusive) {
    if (number <= minimum) add("greater than", minimum);
  } else if (number < minimum) add("greater than or equal to", minimum);
}

function addListErrors(
  result: ValueResult,
  schema: ValueSchema,
  list: readonly JsonValue[],
  path: string,
  old: OldValue,
): void {
  result.checks += 1;
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
  result.checks += 1;
  if (allowed.length === 0 || allowed.some((one) => jsonEqual(one, value))) return;
  const texts = allowed.map((one) => (typeof one === "string" ? one : goJson(one)));
  report(result, fieldNotSupported(shown(path), value, texts));
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
    return;
  }
  if (maxProperties !== undefined && keys.length > maxProperties) {
    report(result, fieldTooMany(shown(path), keys.length, maxProperties));
    return;
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
