import type { FieldSchema, ScalarType, Schema, StructSchema } from "../catalog/type-schema.ts";
import { escapeFieldName } from "../cel/schema/field-names.ts";
import { schemaType } from "../cel/schema/schema-type.ts";
import { type CelType, listType, mapType, objectType, types } from "../cel/types/cel-type.ts";
import type { KindSchema, PublishedType } from "./kind-schema.ts";

/**
 * The type of a kind's objects in expressions that are checked against its schema. `name` is that of the type. Upstream: apiserver,
 * pkg/cel/openapi/resolver and pkg/cel/common/schemas.go, SchemaDeclType.
 */
export function objectCelType({ type }: KindSchema, name: string): CelType | undefined {
  return type.from === "struct" ? structType(type.struct, name, new Set()) : publishedType(type, name);
}

/** The structures on the way to a type. One within itself has no fields there. */
type Way = ReadonlySet<StructSchema>;

function structType(struct: StructSchema, name: string, way: Way): CelType {
  if (way.has(struct)) return objectType(name, {});
  const within = new Set([...way, struct]);
  const fields = new Map<string, FieldSchema>();
  for (const field of struct.fields) {
    const escaped = escapeFieldName(field.name);
    if (escaped !== undefined) fields.set(escaped, field);
  }
  return {
    kind: "object",
    name,
    parameters: [],
    field: (escaped) => {
      const field = fields.get(escaped);
      if (field !== undefined) return valueType(field.schema, `${name}.${escaped}`, within);
      return struct.typeMeta && (escaped === "kind" || escaped === "apiVersion") ? types.string : undefined;
    },
    property: (escaped) => fields.get(escaped)?.name ?? escaped,
  };
}

/** Undefined for a value that expressions cannot see: one without a type, and a list or a map of such values. */
function valueType(schema: Schema, name: string, way: Way): CelType | undefined {
  switch (schema.type) {
    case "struct":
      return structType(schema, name, way);
    case "list": {
      const items = valueType(schema.items, `${name}.@idx`, way);
      return items && listType(items);
    }
    case "map": {
      const values = valueType(schema.values, `${name}.@elem`, way);
      return values && mapType(types.string, values);
    }
    case "either":
      return undefined;
    case "scalar":
      return scalarTypes[schema.scalar] ?? scalarObject(schema.scalar, name);
  }
}

/** The published types. A quantity is published as one of two types, which expressions cannot see. */
const scalarTypes: { readonly [scalar in ScalarType]?: CelType } = {
  string: types.string,
  bool: types.bool,
  int32: types.int,
  int64: types.int,
  uint32: types.int,
  uint64: types.int,
  double: types.double,
  float: types.double,
  bytes: types.bytes,
  time: types.timestamp,
  microtime: types.timestamp,
  duration: types.string,
  intOrString: types.dyn,
};

function scalarObject(scalar: ScalarType, name: string): CelType | undefined {
  const isObject = scalar === "rawExtension" || scalar === "fieldsV1" || scalar === "unknown";
  return isObject ? objectType(name, {}) : undefined;
}

/** The schema of a custom resource is published with the whole metadata; one without a schema with names only. */
function publishedType({ openApiSchema, objectMeta }: PublishedType, name: string): CelType | undefined {
  const declared = schemaType(openApiSchema ?? { type: "object" }, name, "root")?.type;
  if (declared === undefined || openApiSchema === undefined) return declared;
  const metadata = structType(objectMeta, `${name}.metadata`, new Set());
  return {
    ...declared,
    field: (field) => (field === "metadata" ? metadata : declared.field?.(field)),
  };
}
