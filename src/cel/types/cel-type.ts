/** The kinds of types. Wrappers of protobuf are the kind they wrap, and nullable. */
export type TypeKind =
  | "any"
  | "bool"
  | "bytes"
  | "double"
  | "duration"
  | "dyn"
  | "error"
  | "int"
  | "list"
  | "map"
  | "null"
  | "object"
  | "opaque"
  | "param"
  | "string"
  | "timestamp"
  | "type"
  | "uint";

/** A type of the Common Expression Language. Types are compared with `isExactly`, not by identity. */
export interface CelType {
  readonly kind: TypeKind;
  /** The name at run time, which `type(value)` shows: `google.protobuf.Timestamp`, `list`, the name of an object type. */
  readonly name: string;
  readonly parameters: readonly CelType[];
  /** Whether null is a value of it: the wrappers of protobuf. */
  readonly nullable?: true;
  /** The declared type of a field of an object type; undefined if it has no such field. */
  readonly field?: (name: string) => CelType | undefined;
  /** The name that a field of an object type has in JSON, where it may have characters that expressions cannot write. */
  readonly property?: (field: string) => string;
  /** How lists of this type compare and concatenate; atomic if absent. */
  readonly listSemantics?: ListSemantics;
}

/** `x-kubernetes-list-type`: sets compare without order, maps by the values of `keys`. */
export interface ListSemantics {
  readonly type: "set" | "map";
  readonly keys: readonly string[];
}

function simple(kind: TypeKind, name: string = kind): CelType {
  return { kind, name, parameters: [] };
}

/** The types without parameters. */
export const types: {
  readonly [K in Exclude<TypeKind, "list" | "map" | "object" | "opaque" | "param">]: CelType;
} = {
  any: simple("any", "google.protobuf.Any"),
  bool: simple("bool"),
  bytes: simple("bytes"),
  double: simple("double"),
  duration: simple("duration", "google.protobuf.Duration"),
  dyn: simple("dyn"),
  error: simple("error", "*error*"),
  int: simple("int"),
  null: simple("null", "null_type"),
  string: simple("string"),
  timestamp: simple("timestamp", "google.protobuf.Timestamp"),
  type: simple("type"),
  uint: simple("uint"),
};

/** list(element). */
export function listType(element: CelType): CelType {
  return { kind: "list", name: "list", parameters: [element] };
}

/** map(key, value). */
export function mapType(key: CelType, value: CelType): CelType {
  return { kind: "map", name: "map", parameters: [key, value] };
}

/** An object type with these fields. */
export function objectType(name: string, fields: { readonly [field: string]: CelType }): CelType {
  const known = new Map(Object.entries(fields));
  return { kind: "object", name, parameters: [], field: (field) => known.get(field) };
}

/** A type of a library, such as optional_type(T) or net.IP. */
export function opaqueType(name: string, ...parameters: readonly CelType[]): CelType {
  return { kind: "opaque", name, parameters };
}

/** optional_type(value). */
export function optionalType(value: CelType): CelType {
  return opaqueType("optional_type", value);
}

/** A parameter of a function's signature. */
export function typeParameter(name: string): CelType {
  return { kind: "param", name, parameters: [] };
}

/** The type of a type: type(T). */
export function typeOfType(type: CelType): CelType {
  return { kind: "type", name: "type", parameters: [type] };
}

/** The wrapper of a primitive type: null is a value of it. */
export function wrapperType(wrapped: CelType): CelType {
  return { ...wrapped, nullable: true };
}
