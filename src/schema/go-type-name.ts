import type { GroupVersion } from "../apimachinery/group-version.ts";
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

/** The named Go types of fields. */
const namedTypes: ReadonlyMap<string, string> = new Map(
  goTypes
    .trim()
    .split("\n")
    .flatMap((line) => {
      const [type = "", ...fields] = line.split(" ");
      return fields.map((field): [string, string] => [field, type]);
    }),
);

/** The name of the Go package that has the types of a group and version. */
export type GoPackages = (gv: GroupVersion) => string;

/** The packages of k8s.io/api, whose names are the versions. */
const versioned: GoPackages = ({ version }) => version;

/** The Go type of a structure in error messages: `v1.PodSpec`. */
export function structGoType(schema: StructSchema): string {
  return goTypeOf(schema, schema.gv, versioned);
}

/** The Go type of a field: `int32`, `[]v1.Container`, `v1.PullPolicy`. */
export function fieldGoType(owner: StructSchema, field: FieldSchema): string {
  return fieldGoTypeIn(versioned, owner, field);
}

/** The same with the names of other packages. */
export function fieldGoTypeIn(packages: GoPackages, owner: StructSchema, field: FieldSchema): string {
  const { gv } = owner;
  const key = `${field.declaredBy}.${field.name}`;
  const named = namedTypes.get(key) ?? namedTypes.get(`${gv.group}/${key}`);
  if (named === undefined) return goTypeOf(field.schema, gv, packages);
  // Fields of other groups use types of core/v1; StatusReason is the only one of meta/v1.
  const type = named
    .replace(/\bv1\.(?!StatusReason)/, `${packages({ group: "", version: "v1" })}.`)
    .replaceAll("~", `${packages(gv)}.`);
  return type.endsWith("]") && field.schema.type === "map"
    ? type + goTypeOf(field.schema.values, gv, packages)
    : type;
}

/** The Go type of the elements of a list or map type. */
export function elementGoType(owner: StructSchema, goType: string, element: Schema): string {
  return elementGoTypeIn(versioned, owner, goType, element);
}

/** The same with the names of other packages. */
export function elementGoTypeIn(
  packages: GoPackages,
  owner: StructSchema,
  goType: string,
  element: Schema,
): string {
  if (goType.startsWith("[]")) return goType.slice("[]".length);
  if (goType.startsWith("map[")) return goType.slice(goType.indexOf("]") + 1);
  return goTypeOf(element, owner.gv, packages);
}

/** Whether a field of some structure has this type, or a list of it: `ResourceQuotaScope`. */
export function isNamedType(name: string): boolean {
  return [...namedTypes.values()].some((type) => type.replace(/^\[\]/, "").replace(/^~|^v1\./, "") === name);
}

function goTypeOf(schema: Schema, own: GroupVersion, packages: GoPackages): string {
  switch (schema.type) {
    case "scalar":
      return schema.scalar === "json" ? `${packages(own)}.JSON` : scalarNames[schema.scalar];
    case "list":
      return schema.message === undefined
        ? `[]${goTypeOf(schema.items, own, packages)}`
        : `${packages(own)}.${schema.message.name}`;
    case "map":
      return `map[string]${goTypeOf(schema.values, own, packages)}`;
    case "struct":
    case "either":
      return `${packages(schema.gv)}.${schema.name}`;
  }
}
