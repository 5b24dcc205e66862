import type { FieldSchema, ScalarType, Schema, StructSchema } from "../catalog/type-schema.ts";
import { goTypes } from "./generated/go-types.ts";

const scalarNames: { readonly [scalar in ScalarType]: string } = {
  string: "string",
  bool: "bool",
  int32: "int32",
  int64: "int64",
  uint32: "uint32",
  uint64: "uint64",
  double: "float64",
  float: "float32",
  bytes: "[]uint8",
  time: "v1.Time",
  microtime: "v1.MicroTime",
  duration: "v1.Duration",
  quantity: "resource.Quantity",
  intOrString: "intstr.IntOrString",
  rawExtension: "runtime.RawExtension",
  json: "v1.JSON",
  fieldsV1: "v1.FieldsV1",
  unknown: "runtime.Unknown",
};

/** The named Go type of a field; undefined if its type has no name. Searched for each error. */
function namedType(field: string): string | undefined {
  for (const line of goTypes.trim().split("\n")) {
    const [type, ...fields] = line.split(" ");
    if (fields.includes(field)) return type;
  }
  return undefined;
}

/** The Go type of a structure in error messages: `v1.PodSpec`. */
export function structGoType(schema: StructSchema): string {
  return `${schema.gv.version}.${schema.name}`;
}

/** The Go type of a field: `int32`, `[]v1.Container`, `v1.PullPolicy`. */
export function fieldGoType(owner: StructSchema, field: FieldSchema): string {
  const { group, version } = owner.gv;
  const key = `${field.declaredBy}.${field.name}`;
  const named = namedType(key) ?? namedType(`${group}/${key}`);
  if (named === undefined) return goTypeOf(field.schema, version);
  const type = named.replaceAll("~", `${version}.`);
  return type.endsWith("]") && field.schema.type === "map"
    ? type + goTypeOf(field.schema.values, version)
    : type;
}

/** The Go type of the elements of a list or map type. */
export function elementGoType(owner: StructSchema, goType: string, element: Schema): string {
  if (goType.startsWith("[]")) return goType.slice("[]".length);
  if (goType.startsWith("map[")) return goType.slice(goType.indexOf("]") + 1);
  return goTypeOf(element, owner.gv.version);
}

function goTypeOf(schema: Schema, version: string): string {
  switch (schema.type) {
    case "scalar":
      return schema.scalar === "json" ? `${version}.JSON` : scalarNames[schema.scalar];
    case "list":
      return schema.message === undefined
        ? `[]${goTypeOf(schema.items, version)}`
        : `${version}.${schema.message.name}`;
    case "map":
      return `map[string]${goTypeOf(schema.values, version)}`;
    case "struct":
      return structGoType(schema);
    case "either":
      return `${schema.gv.version}.${schema.name}`;
  }
}
