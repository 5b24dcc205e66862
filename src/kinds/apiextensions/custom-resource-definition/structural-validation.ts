import { RE2JS } from "re2js";
import {
  fieldForbidden,
  fieldInvalid,
  fieldRequired,
  formatFieldError,
} from "../../../apimachinery/errors/field.ts";
import { messageOf } from "../../../apimachinery/errors/message-of.ts";
import {
  getKey,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
} from "../../../apimachinery/json.ts";
import { compareText } from "../../../apimachinery/text-order.ts";
import { child, index, key } from "../../../apimachinery/validation/field-path.ts";
import { addAll, type Findings } from "../../../apimachinery/validation/findings.ts";
import { propertiesToCheck } from "./schemas-within.ts";

/** Where a schema stands, which decides how a missing type is worded. */
type Level = "root" | "field" | "item";

const emptyTypes: { readonly [level in Level]: string } = {
  root: "must not be empty at the root",
  field: "must not be empty for specified object fields",
  item: "must not be empty for specified array items",
};

const intOrString: JsonValue = [{ type: "integer" }, { type: "string" }];

/** What only the structural part of a schema may say, and how it is refused elsewhere, in upstream's order. */
const forbiddenWithin: readonly (readonly [name: string, detail: string])[] = [
  ["type", "must be empty to be structural"],
  ["additionalProperties", "must be undefined to be structural"],
  ["default", "must be undefined to be structural"],
  ["title", "must be empty to be structural"],
  ["description", "must be empty to be structural"],
  ["nullable", "must be false to be structural"],
  ["x-kubernetes-preserve-unknown-fields", "must be false to be structural"],
  ["x-kubernetes-embedded-resource", "must be false to be structural"],
  ["x-kubernetes-int-or-string", "must be false to be structural"],
  ["x-kubernetes-list-map-keys", "must be empty to be structural"],
  ["x-kubernetes-list-type", "must be undefined to be structural"],
  ["x-kubernetes-map-type", "must be undefined to be structural"],
  ["x-kubernetes-validations", "must be empty to be structural"],
];

const junctors = ["anyOf", "allOf", "oneOf"] as const;

/**
 * Adds what keeps a schema from being structural, sorted by text. Upstream: apiextensions-apiserver,
 * pkg/apiserver/schema/validation.go and complete.go.
 */
export function addStructuralErrors(errors: Findings, schema: JsonObject, path: string): void {
  const found: Findings = [];
  addInvariantErrors(found, schema, "root", path);
  addCompletenessErrors(found, schema, path);
  const texts = new Map(found.map((error) => [error, textOf(error)]));
  addAll(
    errors,
    found.toSorted((a, b) => compareText(texts.get(a) ?? "", texts.get(b) ?? "")),
  );
}

function textOf(error: Findings[number]): string {
  const { body } = error;
  return typeof body === "string" ? formatFieldError({ ...error, body }) : error.field;
}

function addInvariantErrors(errors: Findings, schema: JsonObject, level: Level, path: string): void {
  const { type, items } = schema;
  const isEmbedded = schema["x-kubernetes-embedded-resource"] === true;
  if (type === "array" && items === undefined)
    errors.push(fieldRequired(child(path, "items"), "must be specified"));
  if (isJsonObject(items)) addInvariantErrors(errors, items, "item", child(path, "items"));
  for (const [name, property] of propertiesToCheck(schema)) {
    addInvariantErrors(errors, property, "field", key(child(path, "properties"), name));
  }
  addAdditionalErrors(errors, schema["additionalProperties"], level, path);
  addExtensionErrors(errors, schema, path);
  addValueRuleErrors(errors, schema, path, patternOf(schema));
  addTypeErrors(errors, schema, level, path);
  if (isEmbedded && schema["additionalProperties"] !== undefined) {
    const detail = "must not be used if x-kubernetes-embedded-resource is set";
    errors.push(fieldForbidden(child(path, "additionalProperties"), detail));
  }
  addMetaErrors(errors, schema, level, path);
  const isOpen = schema["x-kubernetes-preserve-unknown-fields"] === true;
  if (isEmbedded && !isOpen && entriesOf(schema["properties"]).length === 0) {
    const detail =
      "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields";
    errors.push(fieldRequired(child(path, "properties"), detail));
  }
}

function entriesOf(properties: JsonValue | undefined): readonly (readonly [string, JsonObject])[] {
  if (!isJsonObject(properties)) return [];
  return Object.entries(properties).filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1]));
}

function addAdditionalErrors(
  errors: Findings,
  additional: JsonValue | undefined,
  level: Level,
  path: string,
): void {
  if (additional === undefined) return;
  const at = child(path, "additionalProperties");
  if (level === "root") errors.push(fieldForbidden(at, "must not be used at the root"));
  if (isJsonObject(additional)) addInvariantErrors(errors, additional, "field", at);
}

function addExtensionErrors(errors: Findings, schema: JsonObject, path: string): void {
  if (schema["x-kubernetes-int-or-string"] !== true) return;
  for (const name of ["x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"]) {
    if (schema[name] !== true) continue;
    errors.push(fieldInvalid(child(path, name), true, "must be false if x-kubernetes-int-or-string is true"));
  }
}

function addTypeErrors(errors: Findings, schema: JsonObject, level: Level, path: string): void {
  const type = typeof schema["type"] === "string" ? schema["type"] : "";
  const at = child(path, "type");
  const detail = "must be object if x-kubernetes-embedded-resource is true";
  const mayBeEmpty =
    schema["x-kubernetes-int-or-string"] === true || schema["x-kubernetes-preserve-unknown-fields"] === true;
  if (schema["x-kubernetes-embedded-resource"] === true && type !== "object") {
    errors.push(type === "" ? fieldRequired(at, detail) : fieldInvalid(at, type, detail));
  } else if (type === "" && !mayBeEmpty) errors.push(fieldRequired(at, emptyTypes[level]));
  if (level === "root" && type !== "" && type !== "object") {
    errors.push(fieldInvalid(at, type, "must be object at the root"));
  }
}

/** The schema of a whole object may say little about its type and metadata. */
function addMetaErrors(errors: Findings, schema: JsonObject, level: Level, path: string): void {
  const declared = schema["properties"];
  if (!isJsonObject(declared)) return;
  const propertyOf = (name: string): JsonObject | undefined => {
    const property = getKey(declared, name);
    return isJsonObject(property) ? property : undefined;
  };
  const isObject = level === "root" || schema["x-kubernetes-embedded-resource"] === true;
  const at = (name: string) => key(child(path, "properties"), name);
  for (const name of ["kind", "apiVersion"]) {
    const property = propertyOf(name);
    const type = property?.["type"] ?? "";
    if (!isObject || property === undefined || type === "string") continue;
    errors.push(fieldInvalid(child(at(name), "type"), String(type), "must be string"));
  }
  const metadata = propertyOf("metadata");
  if (metadata === undefined) return;
  const type = metadata["type"] ?? "";
  if (isObject && type !== "object") {
    errors.push(fieldInvalid(child(at("metadata"), "type"), String(type), "must be object"));
  }
  if (level !== "root" || restrictsNamesOnly(metadata)) return;
  const detail =
    "must not specify anything other than name and generateName, but metadata is implicitly specified";
  errors.push(fieldForbidden(at("metadata"), detail));
}

function restrictsNamesOnly({ type: _type, default: _default, properties, ...others }: JsonObject): boolean {
  const names = isJsonObject(properties) ? Object.keys(properties) : [];
  return (
    Object.keys(others).length === 0 && names.every((name) => name === "name" || name === "generateName")
  );
}

/** Which alternatives may state types, because they say that a value is an integer or a string. */
interface IntOrStringPattern {
  readonly anyOf: boolean;
  readonly firstAllOf: boolean;
}

const noPattern: IntOrStringPattern = { anyOf: false, firstAllOf: false };

function patternOf({ anyOf, allOf }: JsonObject): IntOrStringPattern {
  const first = Array.isArray(allOf) ? allOf[0] : undefined;
  return {
    anyOf: jsonEqual(anyOf, intOrString),
    firstAllOf: isJsonObject(first) && jsonEqual(first["anyOf"], intOrString),
  };
}

function addValueRuleErrors(
  errors: Findings,
  schema: JsonObject,
  path: string,
  { anyOf, firstAllOf }: IntOrStringPattern,
): void {
  for (const junctor of junctors) {
    if (junctor === "anyOf" && anyOf) continue;
    for (const [i, alternative] of listOf(schema[junctor]).entries()) {
      const pattern = { anyOf: junctor === "allOf" && firstAllOf && i === 0, firstAllOf: false };
      addNestedErrors(errors, alternative, index(child(path, junctor), i), pattern);
    }
  }
  const { not, pattern } = schema;
  if (isJsonObject(not)) addNestedErrors(errors, not, child(path, "not"), noPattern);
  const problem = typeof pattern === "string" && pattern !== "" ? regexProblem(pattern) : undefined;
  if (problem === undefined) return;
  const detail = `must be a valid regular expression, but isn't: ${problem}`;
  errors.push(fieldInvalid(child(path, "pattern"), String(pattern), detail));
}

function listOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function regexProblem(pattern: string): string | undefined {
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function addNestedErrors(
  errors: Findings,
  schema: JsonObject,
  path: string,
  pattern: IntOrStringPattern,
): void {
  addValueRuleErrors(errors, schema, path, pattern);
  if (isJsonObject(schema["items"])) {
    addNestedErrors(errors, schema["items"], child(path, "items"), noPattern);
  }
  const properties = entriesOf(schema["properties"]);
  for (const [name, property] of properties) {
    addNestedErrors(errors, property, key(child(path, "properties"), name), noPattern);
  }
  for (const [name, detail] of forbiddenWithin) {
    if (isSet(schema[name])) errors.push(fieldForbidden(child(path, name), detail));
  }
  if (properties.some(([name]) => name === "metadata")) {
    errors.push(
      fieldForbidden(key(child(path, "properties"), "metadata"), "must not be specified in a nested context"),
    );
  }
}

function isSet(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === "" || value === false) return false;
  return !Array.isArray(value) || value.length > 0;
}

/** Everything that alternatives mention must exist in the structural part as well. */
function addCompletenessErrors(errors: Findings, schema: JsonObject, path: string): void {
  for (const [nested, at] of nestedOf(schema, path)) addSkeletonErrors(errors, schema, nested, path, at);
  if (isJsonObject(schema["items"])) addCompletenessErrors(errors, schema["items"], child(path, "items"));
  for (const [name, property] of propertiesToCheck(schema)) {
    addCompletenessErrors(errors, property, key(child(path, "properties"), name));
  }
  const additional = schema["additionalProperties"];
  if (isJsonObject(additional))
    addCompletenessErrors(errors, additional, child(path, "additionalProperties"));
}

const nothingNested: readonly (readonly [JsonObject, string])[] = [];

function nestedOf(schema: JsonObject, path: string): readonly (readonly [JsonObject, string])[] {
  const { anyOf, allOf, oneOf, not } = schema;
  if ((anyOf ?? allOf ?? oneOf ?? not) === undefined) return nothingNested;
  const nested = junctors.flatMap((junctor) =>
    listOf(schema[junctor]).map((one, i) => [one, index(child(path, junctor), i)] as const),
  );
  return isJsonObject(schema["not"]) ? [...nested, [schema["not"], child(path, "not")]] : nested;
}

function addSkeletonErrors(
  errors: Findings,
  schema: JsonObject,
  nested: JsonObject,
  path: string,
  nestedPath: string,
): void {
  for (const [inner, at] of nestedOf(nested, nestedPath)) addSkeletonErrors(errors, schema, inner, path, at);
  const missing = (field: string, from: string) =>
    errors.push(fieldRequired(field, `because it is defined in ${from}`));
  const own = schema["properties"];
  for (const [name, property] of entriesOf(nested["properties"])) {
    const field = key(child(path, "properties"), name);
    const from = key(child(nestedPath, "properties"), name);
    const declared = isJsonObject(own) ? getKey(own, name) : undefined;
    if (declared !== undefined && isJsonObject(declared))
      addSkeletonErrors(errors, declared, property, field, from);
    else missing(field, from);
  }
  if (!isJsonObject(nested["items"])) return;
  const field = child(path, "items");
  const from = child(nestedPath, "items");
  if (isJsonObject(schema["items"])) addSkeletonErrors(errors, schema["items"], nested["items"], field, from);
  else missing(field, from);
}
