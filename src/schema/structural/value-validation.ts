import { RE2JS } from "re2js";
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
import { emptyResult, merge, report, type ValueResult } from "./value-result.ts";

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
  const result = emptyResult();
  if (old !== undefined && jsonEqual(value, old)) return result;
  addTypeErrors(result, schema, value, path);
  // Null passes or fails by its type alone.
  if (value === null) return result;
  addCombinations(result, schema, (alternative) => validateValue(alternative, value, path, old), path);
  if (typeof value === "string") addTextErrors(result, schema, value, path);
  else if (typeof value === "number" || typeof value === "bigint")
    addNumberErrors(result, schema, value, path);
  else if (Array.isArray(value)) addListErrors(result, schema, value, path, old);
  addEnumErrors(result, schema, value, path);
  if (isJsonObject(value)) addObjectErrors(result, schema, value, path, old);
  return result;
}

/** The JSON types that a schema allows; none if it does not say. */
function typesOf(schema: JsonObject): readonly string[] {
  if (schema["x-kubernetes-int-or-string"] === true) return ["integer", "string"];
  const { type } = schema;
  return typeof type === "string" && type !== "" ? [type] : [];
}

/** The JSON type of a value in messages. */
export function jsonTypeOf(value: JsonValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "bigint") return "integer";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value === "object" ? "object" : typeof value;
}

function addTypeErrors(result: ValueResult, schema: JsonObject, value: JsonValue, path: string): void {
  const types = typesOf(schema);
  if (types.length === 0) return;
  result.checks += 1;
  const type = jsonTypeOf(value);
  if (types.includes(type) || (type === "integer" && types.includes("number"))) return;
  if (value === null && schema["nullable"] === true) return;
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

function numberOf(schema: JsonObject, name: string): number | undefined {
  const value = schema[name];
  return typeof value === "number" || typeof value === "bigint" ? Number(value) : undefined;
}

/** Only the first error of a text is reported. */
function addTextErrors(result: ValueResult, schema: JsonObject, text: string, path: string): void {
  result.checks += 1;
  report(result, textError(schema, text, path));
  const { format } = schema;
  if (typeof format !== "string" || hasFormat(text, format) !== false) return;
  report(result, fieldTypeInvalid(path, text, `${path} in body must be of type ${format}: ${goQuote(text)}`));
}

function textError(schema: JsonObject, text: string, path: string): FieldError | undefined {
  const longest = numberOf(schema, "maxLength");
  const shortest = numberOf(schema, "minLength");
  if (longest !== undefined && characters(text) > longest) return fieldTooLong(path, longest);
  if (shortest !== undefined && characters(text) < shortest) {
    return fieldInvalid(path, text, `${path} in body should be at least ${shortest} chars long`);
  }
  const { pattern } = schema;
  if (typeof pattern !== "string" || pattern === "" || compiledPattern(schema)?.matcher(text).find())
    return undefined;
  return fieldInvalid(path, text, `${path} in body should match '${pattern}'`);
}

function characters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** A pattern that is no regular expression matches nothing. Definitions with one are refused. */
const compiledPattern = rememberedByPart(({ pattern }: JsonObject): RE2JS | undefined => {
  try {
    return RE2JS.compile(String(pattern));
  } catch {
    return undefined;
  }
});

function addNumberErrors(
  result: ValueResult,
  schema: JsonObject,
  value: number | bigint,
  path: string,
): void {
  result.checks += 1;
  const factor = numberOf(schema, "multipleOf");
  const maximum = numberOf(schema, "maximum");
  const minimum = numberOf(schema, "minimum");
  const number = Number(value);
  const add = (rule: string, bound: number) =>
    report(result, fieldInvalid(path, value, `${path} in body should be ${rule} ${goNumber(bound)}`));
  if (factor !== undefined && !Number.isInteger(number / factor)) add("a multiple of", factor);
  if (maximum !== undefined) {
    if (schema["exclusiveMaximum"] === true) {
      if (number >= maximum) add("less than", maximum);
    } else if (number > maximum) add("less than or equal to", maximum);
  }
  if (minimum === undefined) return;
  if (schema["exclusiveMinimum"] === true) {
    if (number <= minimum) add("greater than", minimum);
  } else if (number < minimum) add("greater than or equal to", minimum);
}

function addListErrors(
  result: ValueResult,
  schema: JsonObject,
  list: readonly JsonValue[],
  path: string,
  old: OldValue,
): void {
  result.checks += 1;
  const { items } = schema;
  if (isJsonObject(items)) {
    const oldOf = oldItems(schema, old);
    for (const [i, item] of list.entries()) {
      merge(result, validateValue(items, item, `${path}[${i}]`, oldOf(item)));
    }
  }
  const fewest = numberOf(schema, "minItems");
  const most = numberOf(schema, "maxItems");
  if (fewest !== undefined && list.length < fewest) {
    report(result, fieldInvalid(path, list.length, `${path} in body should have at least ${fewest} items`));
  }
  if (most !== undefined && list.length > most) report(result, fieldTooMany(path, list.length, most));
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

/** The values that an enum lists, as messages show them. */
function addEnumErrors(result: ValueResult, schema: JsonObject, value: JsonValue, path: string): void {
  const allowed = schema["enum"];
  result.checks += 1;
  if (!Array.isArray(allowed) || allowed.length === 0) return;
  if (allowed.some((one: JsonValue) => jsonEqual(one, value))) return;
  const texts = allowed.map((one: JsonValue) => (typeof one === "string" ? one : goJson(one)));
  report(result, fieldNotSupported(shown(path), value, texts));
}

function addObjectErrors(
  result: ValueResult,
  schema: JsonObject,
  object: JsonObject,
  path: string,
  old: OldValue,
): void {
  result.checks += 1;
  const count = Object.keys(object).length;
  const fewest = numberOf(schema, "minProperties");
  const most = numberOf(schema, "maxProperties");
  if (fewest !== undefined && count < fewest) {
    const detail = `${path} in body should have at least ${fewest} properties`;
    report(result, fieldInvalid(shown(path), count, detail));
    return;
  }
  if (most !== undefined && count > most) {
    report(result, fieldTooMany(shown(path), count, most));
    return;
  }
  addEntryErrors(result, schema, object, path, old);
  const { required } = schema;
  for (const name of Array.isArray(required) ? required : []) {
    if (!Object.hasOwn(object, String(name))) report(result, fieldRequired(childOf(path, String(name))));
  }
}

function addEntryErrors(
  result: ValueResult,
  schema: JsonObject,
  object: JsonObject,
  path: string,
  old: OldValue,
): void {
  const declared = isJsonObject(schema["properties"]) ? schema["properties"] : noProperties;
  const additional = schema["additionalProperties"];
  const oldOf = (key: string) => (isJsonObject(old) ? getKey(old, key) : undefined);
  if (additional !== undefined) {
    for (const [key, value] of Object.entries(object)) {
      if (Object.hasOwn(declared, key)) continue;
      const at = childOf(path, key);
      if (isJsonObject(additional)) merge(result, validateValue(additional, value, at, oldOf(key)));
      else if (additional === false) report(result, forbiddenProperty(at));
    }
  }
  for (const key of declaredKeys(object, declared)) {
    const property = declared[key];
    const value = object[key];
    if (value === undefined || !isJsonObject(property)) continue;
    merge(result, validateValue(property, value, childOf(path, key), oldOf(key)));
  }
}

const noProperties: JsonObject = Object.freeze({});

/** The place of each property in a schema. */
const orderOf = rememberedByPart(
  (declared: JsonObject): ReadonlyMap<string, number> =>
    new Map(Object.keys(declared).map((key, place) => [key, place])),
);

/** The keys of an object that a schema declares, in the order of the schema, which may have many more. */
function declaredKeys(object: JsonObject, declared: JsonObject): readonly string[] {
  const order = orderOf(declared);
  const keys = Object.keys(object).filter((key) => order.has(key));
  return keys.sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
}

function forbiddenProperty(path: string): FieldError {
  return fieldInvalid(path, "", `${path} in body is a forbidden property`);
}

function childOf(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}
