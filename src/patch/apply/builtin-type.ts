import type { JsonValue } from "../../apimachinery/json.ts";
import type { FieldSchema, ScalarType, Schema, StructSchema } from "../../catalog/type-schema.ts";
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
  mapType,
  type NamedField,
  scalarType,
} from "./apply-type.ts";

/** The type of a built-in structure, with the published topology of each field. The same object for the same schema. */
export function builtinType(schema: StructSchema): ApplyType {
  return structType(schema, schema.mapType ?? "granular");
}

function structType(schema: StructSchema, topology: MapType["topology"]): ApplyType {
  return schema.compiled(topology === "atomic" ? atomicStruct : granularStruct);
}

function atomicStruct(schema: StructSchema): ApplyType {
  return { scalar: undefined, list: undefined, map: new StructType(schema, "atomic") };
}

function granularStruct(schema: StructSchema): ApplyType {
  return { scalar: undefined, list: undefined, map: new StructType(schema, "granular") };
}

/** Reads the fields on first access, because a structure may contain itself. */
class StructType implements MapType {
  readonly topology: MapType["topology"];
  readonly #schema: StructSchema;
  #fields: ReadonlyMap<string, FieldType> | undefined;

  constructor(schema: StructSchema, topology: MapType["topology"]) {
    this.#schema = schema;
    this.topology = topology;
  }

  get fields(): ReadonlyMap<string, FieldType> {
    this.#fields ??= fieldTypes(fieldsOf(this.#schema));
    return this.#fields;
  }

  /** A structure without fields is published as an object with any content. */
  get values(): ApplyType | undefined {
    return this.fields.size === 0 ? deducedType : undefined;
  }
}

function fieldsOf(schema: StructSchema): readonly NamedField[] {
  const fields = schema.fields.map((field) => ({ name: field.name, type: () => fieldType(field) }));
  if (!schema.typeMeta) return fields;
  const text = (): ApplyType => scalarType("string");
  return [...fields, { name: "apiVersion", type: text }, { name: "kind", type: text }];
}

function fieldType(field: FieldSchema): ApplyType {
  const { schema } = field;
  if (schema.type === "list") return builtinListType(field, schema.items);
  if (field.mapType !== undefined) {
    if (schema.type === "map") return mapType(field.mapType, typeOf(schema.values));
    if (schema.type === "struct") return structType(schema, field.mapType);
  }
  return typeOf(schema);
}

/** In releases without list types, the merge strategy stands for the list type that later releases publish. */
function builtinListType(field: FieldSchema, items: Schema): ApplyType {
  const keys = field.list === undefined ? keysOfStrategy(field) : statedKeys(field);
  if (keys === undefined) return atomicListType(typeOf(items));
  return itemizedListType(
    typeOf(items),
    keys.map((name) => listKey(items, name)),
  );
}

/** Empty for a set, undefined for an atomic list. */
function statedKeys({ list, keys }: FieldSchema): readonly string[] | undefined {
  return list === "atomic" ? undefined : keys;
}

function keysOfStrategy({ patchStrategy, patchMergeKey }: FieldSchema): readonly string[] | undefined {
  if (!patchStrategy.includes("merge")) return undefined;
  return patchMergeKey === undefined ? [] : [patchMergeKey];
}

function listKey(items: Schema, name: string): Omit<ListKey, "prefix"> {
  const field = items.type === "struct" ? items.field(name) : undefined;
  return { name, default: field === undefined ? undefined : (field.default ?? publishedZero(field)) };
}

/** The published default of a scalar that Go always writes is its zero value. */
function publishedZero({ schema, emit, pointer }: FieldSchema): JsonValue | undefined {
  if (schema.type !== "scalar" || !emit || pointer) return undefined;
  switch (scalarKinds[schema.scalar]) {
    case "string":
      return "";
    case "numeric":
      return 0;
    case "boolean":
      return false;
    default:
      return undefined;
  }
}

function typeOf(schema: Schema): ApplyType {
  switch (schema.type) {
    case "struct":
      return builtinType(schema);
    case "map":
      return mapType("granular", typeOf(schema.values));
    case "list":
      return atomicListType(typeOf(schema.items));
    case "either":
      return deducedType;
    case "scalar":
      return builtinScalarType(schema.scalar);
  }
}

const scalarKinds: { readonly [scalar in ScalarType]?: "string" | "numeric" | "boolean" | "untyped" } = {
  string: "string",
  bytes: "string",
  duration: "string",
  bool: "boolean",
  int32: "numeric",
  int64: "numeric",
  uint32: "numeric",
  uint64: "numeric",
  double: "numeric",
  float: "numeric",
  time: "untyped",
  microtime: "untyped",
  quantity: "untyped",
};

const fieldsObject: ApplyType = mapType("granular", deducedType);

function builtinScalarType(scalar: ScalarType): ApplyType {
  const kind = scalarKinds[scalar];
  if (kind !== undefined) return scalarType(kind);
  if (scalar === "rawExtension" || scalar === "unknown") return atomicType;
  // Published without a type, like JSON and IntOrString, or as an object with any content.
  return scalar === "fieldsV1" ? fieldsObject : deducedType;
}
