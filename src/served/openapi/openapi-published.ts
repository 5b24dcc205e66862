import type { GroupVersionKind } from "../../apimachinery/group-version.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  setKey,
} from "../../apimachinery/json.ts";
import { structSchema } from "../../catalog/struct-schema.ts";
import type { FieldSchema, StructSchema } from "../../catalog/type-schema.ts";
import type { PublishedType } from "../../schema/kind-schema.ts";

/** The structure of a custom resource in the documents: its metadata, and what its definition publishes. */
export function publishedStruct(
  { group, version, kind }: GroupVersionKind,
  type: PublishedType,
): StructSchema {
  const metadata: FieldSchema = {
    name: "metadata",
    schema: type.objectMeta,
    declaredBy: kind,
    required: false,
    emit: false,
    pointer: true,
    list: undefined,
    keys: [],
    mapType: undefined,
    patchStrategy: [],
    patchMergeKey: undefined,
    default: undefined,
    enum: [],
  };
  return structSchema({
    name: kind,
    gv: { group, version },
    typeMeta: true,
    fields: [metadata],
    message: [],
    mapType: undefined,
    unions: [],
    published: type.preserveUnknownFields ? {} : (type.openApiSchema ?? {}),
  });
}

/** The names of keywords whose values are schemas by name, lists of schemas, or schemas. */
const maps = ["properties"];
const schemas = ["items", "additionalProperties"];
const dropped: ReadonlySet<string> = new Set(["oneOf", "anyOf", "allOf", "not", "nullable"]);

/**
 * A schema in Swagger 2.0, which cannot say everything: combinations are left out, and values that may be null or an integer
 * or a string have no type. Upstream: apiextensions-apiserver, pkg/controller/openapi/v2/conversion.go.
 */
export function swaggerSchema(schema: JsonObject): JsonObject {
  const isOpen = schema["nullable"] === true;
  const isUntyped = isOpen || schema["x-kubernetes-int-or-string"] === true;
  const converted: MutableJsonObject = {};
  for (const [name, value] of Object.entries(schema)) {
    if (dropped.has(name) || (isUntyped && name === "type")) continue;
    if (isOpen && (maps.includes(name) || schemas.includes(name))) continue;
    setKey(converted, name, convertedKeyword(name, value));
  }
  return converted;
}

function convertedKeyword(name: string, value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  if (schemas.includes(name)) return swaggerSchema(value);
  if (!maps.includes(name)) return value;
  const converted: MutableJsonObject = {};
  for (const [key, one] of Object.entries(value)) {
    setKey(converted, key, isJsonObject(one) ? swaggerSchema(one) : one);
  }
  return converted;
}
