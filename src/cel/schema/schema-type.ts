import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json.ts";
import { utf8Length } from "../../apimachinery/utf8.ts";
import { type CelType, type ListSemantics, listType, mapType, types } from "../types/cel-type.ts";
import type { DeclaredType } from "./declared-type.ts";
import { escapeFieldName } from "./field-names.ts";

/** The largest request that the API server accepts, which bounds what a schema leaves open. */
const maxRequestSize = 3 * 1024 * 1024;

/** Lengths of JSON texts, quotation marks included (apiserver, pkg/cel/limits.go). */
const sizes = {
  duration: 32,
  minDuration: 3,
  date: 12,
  dateTime: 32,
  minDateTime: 21,
  string: 2,
  boolean: 4,
};

/** Which part of an object a schema describes. A root has a kind, an apiVersion and the names in its metadata. */
export type SchemaPosition = "root" | "part";

/**
 * The type that an OpenAPI schema declares; undefined if expressions cannot see its values: those without a type,
 * and lists whose elements have none (apiserver, pkg/cel/common/schemas.go). `name` is the name of its object type.
 */
export function schemaType(
  schema: JsonObject,
  name: string,
  position: SchemaPosition,
): DeclaredType | undefined {
  if (schema["x-kubernetes-int-or-string"] === true) {
    return { type: types.dyn, maxElements: lengthOf(schema, maxRequestSize - 2), minSerializedSize: 1 };
  }
  switch (schema["type"]) {
    case "array":
      return arrayType(schema, name);
    case "object":
      return objectOrMapType(position === "root" ? withObjectMeta(schema) : schema, name);
    case "string":
      return stringType(schema);
    case "boolean":
      return scalar(types.bool, sizes.boolean);
    case "number":
      return scalar(types.double, 1);
    case "integer":
      return scalar(types.int, 1);
    default:
      return undefined;
  }
}

function scalar(type: CelType, minSerializedSize: number): DeclaredType {
  return { type, maxElements: undefined, minSerializedSize };
}

function arrayType(schema: JsonObject, name: string): DeclaredType | undefined {
  const element = partType(schema["items"], `${name}.@idx`);
  if (element === undefined) return undefined;
  const most = Math.floor((maxRequestSize - 2) / (element.minSerializedSize + 1));
  const list = listType(element.type);
  const semantics = listSemantics(schema);
  return {
    type: semantics === undefined ? list : { ...list, listSemantics: semantics },
    maxElements: countOf(schema["maxItems"], most),
    minSerializedSize: 2,
    element,
  };
}

function listSemantics(schema: JsonObject): ListSemantics | undefined {
  const type = schema["x-kubernetes-list-type"];
  if (type !== "set" && type !== "map") return undefined;
  const keys = schema["x-kubernetes-list-map-keys"];
  return { type, keys: Array.isArray(keys) ? keys.filter((key) => typeof key === "string") : [] };
}

function objectOrMapType(schema: JsonObject, name: string): DeclaredType | undefined {
  const additional = schema["additionalProperties"];
  if (isJsonObject(additional)) return mapOf(schema, additional, name);
  const fields = new Map<string, DeclaredType>();
  const properties = new Map<string, string>();
  const required = schema["required"];
  let minSerializedSize = 2;
  const declared = schema["properties"];
  for (const [property, own] of Object.entries(isJsonObject(declared) ? declared : {})) {
    const field = escapeFieldName(property);
    const type = partType(own, `${name}.${field ?? property}`);
    if (type === undefined) continue;
    if (field !== undefined) {
      fields.set(field, type);
      properties.set(field, property);
    }
    const hasDefault = isJsonObject(own) && own["default"] !== undefined;
    const isRequired = Array.isArray(required) && required.includes(property) && !hasDefault;
    if (isRequired) minSerializedSize += utf8Length(property) + type.minSerializedSize + 4;
  }
  const type: CelType = {
    kind: "object",
    name,
    parameters: [],
    field: (field) => fields.get(field)?.type,
    property: (field) => properties.get(field) ?? field,
  };
  return { type, maxElements: undefined, minSerializedSize, fields };
}

function mapOf(schema: JsonObject, additional: JsonObject, name: string): DeclaredType | undefined {
  const element = partType(additional, `${name}.@elem`);
  if (element === undefined) return undefined;
  const most = Math.floor((maxRequestSize - 2) / (element.minSerializedSize + 6));
  const maxElements = countOf(schema["maxProperties"], most);
  return { type: mapType(types.string, element.type), maxElements, minSerializedSize: 2, element };
}

function partType(schema: JsonValue | undefined, name: string): DeclaredType | undefined {
  if (!isJsonObject(schema)) return undefined;
  return schemaType(schema, name, schema["x-kubernetes-embedded-resource"] === true ? "root" : "part");
}

function stringType(schema: JsonObject): DeclaredType {
  const most = maxRequestSize - 2;
  switch (schema["format"]) {
    case "byte":
      return {
        type: types.bytes,
        maxElements: countOf(schema["maxLength"], most),
        minSerializedSize: sizes.string,
      };
    case "duration":
      return { type: types.duration, maxElements: sizes.duration, minSerializedSize: sizes.minDuration };
    case "date":
      return { type: types.timestamp, maxElements: sizes.date, minSerializedSize: sizes.date };
    case "date-time":
      return { type: types.timestamp, maxElements: sizes.dateTime, minSerializedSize: sizes.minDateTime };
    default:
      return {
        type: types.string,
        maxElements: lengthOf(schema, enumLength(schema) ?? most),
        minSerializedSize: sizes.string,
      };
  }
}

/** A schema counts characters, of which each may take four bytes. */
function lengthOf(schema: JsonObject, otherwise: number): number {
  const length = schema["maxLength"];
  return typeof length === "number" ? Math.max(0, length) * 4 : otherwise;
}

function enumLength(schema: JsonObject): number | undefined {
  const values = schema["enum"];
  if (!Array.isArray(values) || values.length === 0) return undefined;
  return Math.max(0, ...values.map((value) => (typeof value === "string" ? utf8Length(value) : 0)));
}

function countOf(declared: JsonValue | undefined, otherwise: number): number {
  return typeof declared === "number" ? Math.max(0, declared) : otherwise;
}

/** The schema with the fields that every object has. */
function withObjectMeta(schema: JsonObject): JsonObject {
  const string = { type: "string" };
  const metadata = { type: "object", properties: { name: string, generateName: string } };
  const properties = schema["properties"];
  const own = isJsonObject(properties) ? properties : {};
  return { ...schema, properties: { ...own, kind: string, apiVersion: string, metadata } };
}
