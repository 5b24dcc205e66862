import { getKey, isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json.ts";
import {
  type ApplyType,
  atomicListType,
  atomicType,
  deducedType,
  type FieldType,
  fieldTypes,
  itemizedListType,
  type ListKey,
  type MapType,
  type NamedField,
  scalarType,
} from "./apply-type.ts";

/**
 * The type of a custom resource from the `openAPIV3Schema` of its version. Without a schema, types are deduced from the
 * values.
 */
export function customResourceType(schema: JsonObject | undefined, around: Surroundings): ApplyType {
  if (schema === undefined) return mapOnly(deducedType);
  return typeOf({ ...schema, "x-kubernetes-embedded-resource": true }, around);
}

function mapOnly({ map }: ApplyType): ApplyType {
  return { scalar: undefined, list: undefined, map };
}

/** The context of a value: what its type depends on besides its own schema. */
export interface Surroundings {
  /** The type of the built-in metadata, which a schema cannot change. */
  readonly objectMeta: ApplyType;
  /** Whether the schema of the value, or of a value that contains it, preserves unknown fields. */
  readonly preserveUnknownFields: boolean;
}

function typeOf(schema: JsonObject, around: Surroundings): ApplyType {
  const preserves = schema["x-kubernetes-preserve-unknown-fields"] === true;
  const inner = preserves ? { ...around, preserveUnknownFields: true } : around;
  switch (schema.type) {
    case "object":
      return { scalar: undefined, list: undefined, map: new ObjectType(schema, inner) };
    case "array":
      return arrayType(schema, inner);
    case "integer":
    case "number":
      return scalarType("numeric");
    case "boolean":
      return scalarType("boolean");
    case "string":
      return scalarType(isPlainFormat(schema.format) ? "string" : "untyped");
    default:
      // Without a type: int-or-string, or any value.
      return { scalar: "untyped", list: arrayType(schema, inner).list, map: new ObjectType(schema, inner) };
  }
}

function isPlainFormat(format: JsonValue | undefined): boolean {
  return format === undefined || format === "" || format === "byte";
}

class ObjectType implements MapType {
  readonly topology: MapType["topology"];
  readonly values: ApplyType | undefined;
  readonly #schema: JsonObject;
  readonly #around: Surroundings;
  #fields: ReadonlyMap<string, FieldType> | undefined;

  constructor(schema: JsonObject, around: Surroundings) {
    this.#schema = schema;
    this.#around = around;
    this.topology = schema["x-kubernetes-map-type"] === "atomic" ? "atomic" : "granular";
    this.values = valuesOf(schema, around);
  }

  get fields(): ReadonlyMap<string, FieldType> {
    this.#fields ??= fieldTypes(propertiesOf(this.#schema, this.#around));
    return this.#fields;
  }
}

/** The type of keys that are not properties. An object without properties may have any content. */
function valuesOf(schema: JsonObject, around: Surroundings): ApplyType | undefined {
  const { additionalProperties } = schema;
  if (isJsonObject(additionalProperties)) return typeOf(additionalProperties, around);
  if (additionalProperties !== undefined) return additionalProperties === true ? deducedType : undefined;
  const isOpen = around.preserveUnknownFields || propertiesOf(schema, around).length === 0;
  return isOpen ? deducedType : undefined;
}

function propertiesOf(schema: JsonObject, around: Surroundings): readonly NamedField[] {
  const properties = sectionOf(schema, "properties");
  const fields = new Map<string, NamedField>();
  for (const [name, property] of Object.entries(properties)) {
    if (isJsonObject(property)) fields.set(name, { name, type: () => typeOf(property, around) });
  }
  if (schema["x-kubernetes-embedded-resource"] === true) {
    for (const name of ["apiVersion", "kind"]) fields.set(name, { name, type: () => scalarType("string") });
    fields.set("metadata", { name: "metadata", type: () => around.objectMeta });
  }
  return [...fields.values()];
}

function arrayType(schema: JsonObject, around: Surroundings): ApplyType {
  const items = isJsonObject(schema.items) ? schema.items : undefined;
  const type = items === undefined ? atomicType : typeOf(items, around);
  const stated = schema["x-kubernetes-list-type"];
  if (stated === "map") return itemizedListType(type, keysOf(schema, items));
  return stated === "set" ? itemizedListType(type, []) : atomicListType(type);
}

function keysOf(schema: JsonObject, items: JsonObject | undefined): readonly Omit<ListKey, "prefix">[] {
  const names = schema["x-kubernetes-list-map-keys"];
  if (!Array.isArray(names)) return [];
  const properties = sectionOf(items ?? {}, "properties");
  return names
    .filter((name) => typeof name === "string")
    .map((name) => {
      const property = getKey(properties, name);
      const value = isJsonObject(property) ? property.default : undefined;
      // A default of null counts as no default.
      return { name, default: value ?? undefined };
    });
}

function sectionOf(schema: JsonObject, name: string): JsonObject {
  const value = schema[name];
  return isJsonObject(value) ? value : {};
}
