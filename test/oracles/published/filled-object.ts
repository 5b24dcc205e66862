import { base64Of } from "../../../src/apimachinery/base64.ts";
import { formatGroupVersion, type GroupVersionKind } from "../../../src/apimachinery/group-version.ts";
import type { JsonObject, JsonValue, MutableJsonObject } from "../../../src/apimachinery/json.ts";
import type { ScalarType, Schema, StructSchema } from "../../../src/catalog/type-schema.ts";
import { builtInSchema } from "../../../src/schema/built-in-schema.ts";

/** The JSON name and the protobuf number of the field that contains a value. */
interface Place {
  readonly name: string;
  readonly number: number;
}

/**
 * An object that sets every field of its kind by a rule: a text is the name of its field and `Value`, a number is the
 * protobuf number of the field. Upstream publishes such objects (apimachinery, pkg/api/apitesting/roundtrip/construct.go).
 */
export function filledObject(gvk: GroupVersionKind, struct: StructSchema): JsonObject {
  const object = { kind: gvk.kind, apiVersion: formatGroupVersion(gvk), ...filledStruct(struct, new Set()) };
  return builtInSchema(struct).canonicalize(object);
}

/** `open` are the structures around this one: a recursive type is filled once. */
function filledStruct(struct: StructSchema, open: ReadonlySet<StructSchema>): MutableJsonObject {
  const object: MutableJsonObject = {};
  if (open.has(struct)) return object;
  const inner = new Set([...open, struct]);
  for (const { number, content } of struct.message) {
    if ("inline" in content) Object.assign(object, filledStruct(content.inline, inner));
    else object[content.name] = filled(content.schema, { name: content.name, number }, inner);
  }
  return object;
}

function filled(schema: Schema, place: Place, open: ReadonlySet<StructSchema>): JsonValue {
  switch (schema.type) {
    case "struct":
      return filledStruct(schema, open);
    case "list":
      return [filled(schema.items, place, open)];
    case "map":
      // Upstream does not fill the times in maps, since it addresses values by pointers, which those do not have.
      return { [`${place.name}Key`]: isTime(schema.values) ? null : filled(schema.values, place, open) };
    case "scalar":
      return filledScalar(schema.scalar, place);
    case "either":
      throw new Error(`${schema.name} is in no published object`);
  }
}

function isTime(schema: Schema): boolean {
  return schema.type === "scalar" && (schema.scalar === "time" || schema.scalar === "microtime");
}

function filledScalar(scalar: ScalarType, { name, number }: Place): JsonValue {
  switch (scalar) {
    case "string":
    case "intOrString":
      return `${name}Value`;
    case "bool":
      return true;
    case "int32":
    case "int64":
    case "uint32":
    case "uint64":
      return number;
    case "double":
    case "float":
      return number + 0.5;
    case "bytes":
      return base64Of(Uint8Array.of(number));
    case "time":
      return `${2000 + number}-01-01T01:01:01Z`;
    case "microtime":
      return `${2000 + number}-01-01T01:01:01.${String(number).padStart(6, "0")}Z`;
    case "duration":
      return "1ns";
    case "quantity":
      return "0";
    case "rawExtension":
      return {
        apiVersion: "example.com/v1",
        kind: "CustomType",
        spec: { replicas: 1 },
        status: { available: 1 },
      };
    case "fieldsV1":
      return {};
    case "json":
    case "unknown":
      throw new Error(`a ${scalar} is in no published object`);
  }
}
