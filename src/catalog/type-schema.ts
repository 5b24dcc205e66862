import type { GroupVersion } from "../apimachinery/group-version.ts";
import type { JsonValue } from "../apimachinery/json.ts";

/** The value types that are no structure. How each looks in JSON and protobuf: `scalars` in the catalog's apimachinery.json. */
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

/** The shape of a value. Shapes may be recursive; the parts of a structure are resolved when first asked for. */
export type Schema = ScalarSchema | ListSchema | MapSchema | StructSchema | EitherSchema;

export interface ScalarSchema {
  readonly type: "scalar";
  readonly scalar: ScalarType;
}

export interface ListSchema {
  readonly type: "list";
  readonly items: Schema;
  /** Set for Go's named list types (`ExtraValue`): in protobuf a message with one repeated field. */
  readonly message: { readonly name: string; readonly proto: number } | undefined;
}

export interface MapSchema {
  readonly type: "map";
  readonly values: Schema;
}

/** A value that is either a structure or something else, such as `JSONSchemaPropsOrBool`. In protobuf it is a message of `fields`. */
export interface EitherSchema {
  readonly type: "either";
  readonly name: string;
  readonly gv: GroupVersion;
  /** The alternatives, as the catalog's `alias` names them. */
  readonly alternatives: readonly Schema[];
  /** The protobuf fields by name: `schema`, `jSONSchemas`, `allows`, `property`. */
  readonly fields: readonly FieldSchema[];
  /** The same with their numbers; none of them is inline. */
  readonly message: readonly MessageField[];
}

export interface StructSchema {
  readonly type: "struct";
  /** The Go type's name, for example `DeploymentSpec`. */
  readonly name: string;
  /** Where the type is declared; `meta/v1` is `{ group: "meta", version: "v1" }`. */
  readonly gv: GroupVersion;
  /** JSON has `apiVersion` and `kind`; protobuf leaves them to the envelope. They are not among `fields`. */
  readonly typeMeta: boolean;
  /** As JSON sees it: in declaration order, Go-inlined structures replaced by their fields. */
  readonly fields: readonly FieldSchema[];
  /** The JSON field of a name, case-sensitive. */
  field(name: string): FieldSchema | undefined;
  /** As protobuf sees it: inlined structures are nested messages. Empty when the type has no protobuf form. */
  readonly message: readonly MessageField[];
  readonly mapType: "atomic" | "granular" | undefined;
  readonly unions: readonly Union[];
}

export interface MessageField {
  readonly number: number;
  /** The field itself, or the structure whose fields stand inlined in JSON. */
  readonly content: FieldSchema | { readonly inline: StructSchema };
}

export interface Union {
  /** The discriminator's field name, if there is one. */
  readonly discriminator: string | undefined;
  /** Field name to discriminator value. */
  readonly fields: { readonly [field: string]: string };
}

export interface FieldSchema {
  readonly name: string;
  readonly schema: Schema;
  /** The Go structure that declares it, which decode errors name; differs from the owner when inlined. */
  readonly declaredBy: string;
  readonly required: boolean;
  /** Written even when it holds its zero value: `0`, `""`, `false`, `null` for an unset list, map or pointer, `{}` for a structure. */
  readonly emit: boolean;
  /** A Go pointer: a scalar keeps an explicit zero; an unset structure is absent, or null when emitted. */
  readonly pointer: boolean;
  readonly list: "atomic" | "set" | "map" | undefined;
  readonly keys: readonly string[];
  readonly mapType: "atomic" | "granular" | undefined;
  readonly patchStrategy: readonly ("merge" | "replace" | "retainKeys")[];
  readonly patchMergeKey: string | undefined;
  readonly default: JsonValue | undefined;
  readonly enum: readonly string[];
}
