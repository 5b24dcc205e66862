import type { GroupVersion } from "../apimachinery/group-version.ts";
import type { JsonObject, JsonValue } from "../apimachinery/json.ts";

/** The types that are not structures. `scalars` in the catalog's apimachinery.json defines their JSON and protobuf forms. */
export type ScalarType =
  | "string"
  | "bool"
  | "int32"
  | "int64"
  | "uint32"
  | "uint64"
  | "double"
  | "float"
  | "bytes"
  | "time"
  | "microtime"
  | "duration"
  | "quantity"
  | "intOrString"
  | "rawExtension"
  | "json"
  | "fieldsV1"
  | "unknown";

/** The type of a value. Types may be recursive: the parts of a structure are resolved when they are first needed. */
export type Schema = ScalarSchema | ListSchema | MapSchema | StructSchema | EitherSchema;

export interface ScalarSchema {
  readonly type: "scalar";
  readonly scalar: ScalarType;
}

export interface ListSchema {
  readonly type: "list";
  readonly items: Schema;
  /** Set for the named list types of Go (`ExtraValue`), which in protobuf are messages with one repeated field. */
  readonly message: { readonly name: string; readonly proto: number } | undefined;
}

export interface MapSchema {
  readonly type: "map";
  readonly values: Schema;
}

/** A structure or a value of another type, such as `JSONSchemaPropsOrBool`. In protobuf it is a message of `fields`. */
export interface EitherSchema {
  readonly type: "either";
  readonly name: string;
  readonly gv: GroupVersion;
  /** The alternatives in the catalog's `alias`. */
  readonly alternatives: readonly Schema[];
  /** The protobuf fields by name: `schema`, `jSONSchemas`, `allows`, `property`. */
  readonly fields: readonly FieldSchema[];
  /** The same fields with their numbers; none of them is inlined. */
  readonly message: readonly MessageField[];
}

export interface StructSchema {
  readonly type: "struct";
  /** The name of the Go type, for example `DeploymentSpec`. */
  readonly name: string;
  /** The package of the type; `meta/v1` is `{ group: "meta", version: "v1" }`. */
  readonly gv: GroupVersion;
  /** Whether JSON has `apiVersion` and `kind`, which in protobuf are in the envelope. `fields` does not contain them. */
  readonly typeMeta: boolean;
  /** The JSON fields in the order of their declaration. A structure that Go inlines is replaced by its fields. */
  readonly fields: readonly FieldSchema[];
  /** The JSON field with a name, case-sensitive. */
  field(name: string): FieldSchema | undefined;
  /** The protobuf fields, in which an inlined structure is a nested message. Empty if the type has no protobuf form. */
  readonly message: readonly MessageField[];
  readonly mapType: "atomic" | "granular" | undefined;
  readonly unions: readonly Union[];
  /** What the definition of a custom resource publishes about it, in OpenAPI. `fields` has only its metadata then. */
  readonly published?: JsonObject;
  /** The result of `compile` for this structure: computed on the first call, then kept as long as the structure. */
  compiled<T>(compile: (schema: StructSchema) => T): T;
}

export interface MessageField {
  readonly number: number;
  /** The field, or the structure that is inlined in JSON. */
  readonly content: FieldSchema | { readonly inline: StructSchema };
}

export interface Union {
  /** The name of the discriminator field, if the union has one. */
  readonly discriminator: string | undefined;
  /** The discriminator values by field name. */
  readonly fields: { readonly [field: string]: string };
}

export interface FieldSchema {
  readonly name: string;
  readonly schema: Schema;
  /** The Go structure that declares the field, for decoding errors. Not the owner if it is inlined. */
  readonly declaredBy: string;
  readonly required: boolean;
  /** Whether a zero value is written: `0`, `""`, `false`, `null` for an unset list, map or pointer, `{}` for a structure. */
  readonly emit: boolean;
  /** Whether the Go field is a pointer: a scalar keeps an explicit zero; an unset structure is absent, or null if `emit`. */
  readonly pointer: boolean;
  readonly list: "atomic" | "set" | "map" | undefined;
  readonly keys: readonly string[];
  readonly mapType: "atomic" | "granular" | undefined;
  readonly patchStrategy: readonly ("merge" | "replace" | "retainKeys")[];
  readonly patchMergeKey: string | undefined;
  readonly default: JsonValue | undefined;
  readonly enum: readonly string[];
}
