import {
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../apimachinery/json.ts";
import { child, index, key } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { metaFields } from "../../../schema/structural/pruning.ts";
import { addListTypeErrors } from "./list-type-validation.ts";
import { addRuleFieldErrors } from "./rule-field-validation.ts";
import type { SchemaPlace } from "./schema-place.ts";
import { propertiesToCheck } from "./schemas-within.ts";

const types = ["array", "boolean", "integer", "number", "object", "string"];

/** Keywords that are refused, in upstream's order. */
const unsupported = ["id", "additionalItems", "patternProperties", "definitions", "dependencies", "$ref"];

/**
 * Adds what is wrong with a schema and the schemas within. Upstream: ValidateCustomResourceDefinitionOpenAPISchema. Rules in
 * CEL are validated apart.
 */
export function addOpenApiSchemaErrors(errors: Findings, schema: JsonObject, place: SchemaPlace): void {
  const { path } = place;
  addKeywordErrors(errors, schema, place);
  if (schema["uniqueItems"] === true) {
    const detail = "uniqueItems cannot be set to true since the runtime complexity becomes quadratic";
    errors.push(fieldForbidden(child(path, "uniqueItems"), detail));
  }
  for (const [part, at] of partsOf(errors, schema, place)) addOpenApiSchemaErrors(errors, part, at);
  if (schema["x-kubernetes-preserve-unknown-fields"] === false) {
    const field = child(path, "x-kubernetes-preserve-unknown-fields");
    errors.push(fieldInvalid(field, false, "must be true or undefined"));
  }
  addMapTypeErrors(errors, schema, path);
  addListTypeErrors(errors, schema, place);
  addRuleFieldErrors(errors, schema, path);
}

function addKeywordErrors(errors: Findings, schema: JsonObject, place: SchemaPlace): void {
  const { path, noDefaults, tolerances } = place;
  const type = textOf(schema["type"]);
  if (type !== "" && !types.includes(type) && !tolerances.has("types")) {
    errors.push(fieldNotSupported(child(path, "type"), type, types));
  }
  if (schema["default"] !== undefined && noDefaults !== undefined) {
    const detail = `must not be set ${noDefaults}`.trimEnd();
    errors.push(fieldForbidden(child(path, "default"), detail));
  }
  for (const name of unsupported) {
    if (isStated(schema[name])) errors.push(fieldForbidden(child(path, name), `${name} is not supported`));
  }
  if (type === "null") {
    const detail = "type cannot be set to null, use nullable as an alternative";
    errors.push(fieldForbidden(child(path, "type"), detail));
  }
  if (Array.isArray(schema["items"])) {
    errors.push(fieldForbidden(child(path, "items"), "items must be a schema object and not an array"));
  }
  if (place.isInMetadata && schema["x-kubernetes-embedded-resource"] === true) {
    const field = child(path, "x-kubernetes-embedded-resource");
    errors.push(fieldForbidden(field, "must not be used inside of resource meta"));
  }
}

function isStated(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === "") return false;
  return !isJsonObject(value) || Object.keys(value).length > 0;
}

/** Most schemas within a schema are of scalars, without any of these. */
const keywordsOfParts = ["properties", "items", "additionalProperties", "anyOf", "oneOf", "allOf", "not"];

type Part = readonly [schema: JsonObject, place: SchemaPlace];

/** The schemas within a schema, in the order in which they are validated. */
function partsOf(errors: Findings, schema: JsonObject, place: SchemaPlace): readonly Part[] {
  if (!keywordsOfParts.some((name) => schema[name] !== undefined)) return [];
  const { path } = place;
  const inner = { ...place, isRoot: false };
  const at = (name: string): SchemaPlace => ({ ...inner, path: child(path, name) });
  const one = (name: string): readonly Part[] =>
    isJsonObject(schema[name]) ? [[schema[name], at(name)]] : [];
  const list = (name: string): readonly Part[] =>
    listOf(schema[name]).map((part, i) => [part, { ...inner, path: index(child(path, name), i) }]);
  return [
    ...additionalPart(errors, schema, inner),
    ...propertyParts(schema, place),
    ...one("not"),
    ...["allOf", "oneOf", "anyOf"].flatMap(list),
    ...one("items"),
    ...list("items"),
  ];
}

function additionalPart(errors: Findings, schema: JsonObject, place: SchemaPlace): readonly Part[] {
  const additional = schema["additionalProperties"];
  if (additional === undefined) return [];
  const path = child(place.path, "additionalProperties");
  const { properties } = schema;
  if (isJsonObject(properties) && Object.keys(properties).length > 0 && additional !== true) {
    errors.push(fieldForbidden(path, "additionalProperties and properties are mutual exclusive"));
  }
  if (!isJsonObject(additional)) return [];
  const noDefaults = place.isInMetadata
    ? "inside additionalProperties applying to object metadata"
    : place.noDefaults;
  return [[additional, { ...place, path, noDefaults }]];
}

function propertyParts(schema: JsonObject, place: SchemaPlace): readonly Part[] {
  const isObject = place.isRoot || schema["x-kubernetes-embedded-resource"] === true;
  const found: Part[] = [];
  for (const [name, property] of propertiesToCheck(schema)) {
    const isMeta = isObject && metaFields.has(name);
    const inner: SchemaPlace = {
      ...place,
      path: key(child(place.path, "properties"), name),
      isRoot: false,
      isInMetadata: place.isInMetadata || isMeta,
      noDefaults: isMeta && place.isRoot ? `in top-level ${name}` : place.noDefaults,
    };
    found.push([property, inner]);
  }
  return found;
}

function listOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function addMapTypeErrors(errors: Findings, schema: JsonObject, path: string): void {
  const mapType = schema["x-kubernetes-map-type"];
  if (mapType === undefined) return;
  const type = textOf(schema["type"]);
  const detail = "must be object if x-kubernetes-map-type is specified";
  if (type === "") errors.push(fieldRequired(child(path, "type"), detail));
  else if (type !== "object") errors.push(fieldInvalid(child(path, "type"), type, detail));
  if (mapType === "atomic" || mapType === "granular") return;
  errors.push(fieldNotSupported(child(path, "x-kubernetes-map-type"), mapType, ["atomic", "granular"]));
}
