import type { FieldError } from "../apimachinery/errors/field.ts";
import type { ParsedJson } from "../apimachinery/go/parsed-json.ts";
import type { JsonObject, MutableJsonObject } from "../apimachinery/json.ts";
import type { StructSchema } from "../catalog/type-schema.ts";

/**
 * The schema of one version of a kind. Schemas of built-in kinds come from the catalog; a kind that arrives at run
 * time brings its own.
 */
export interface KindSchema {
  /** The source of the field types, for apply, patches and encodings other than JSON. */
  readonly type: KindType;
  /**
   * Reads a value as Go reads JSON into the kind: unknown fields are dropped, null counts as unset.
   * @throws {DecodeError} in the words of Go's decoder
   */
  decode(value: ParsedJson): Decoded;
  /**
   * Gives a merged document its type, in the manner of upstream's converter of unstructured objects.
   * @throws {DecodeError} in the words of that converter
   */
  fromUnstructured(document: JsonObject): Converted;
  /**
   * The object as it is answered: order of keys, zero values. It keeps the parts that it shares with `old`, which is
   * canonical, and the parts that come out equal to those of `old` are taken from it.
   */
  canonicalize<T extends JsonObject>(object: T, old?: JsonObject): T;
  /** The canonical form after storage, where an empty list or map is unset. */
  canonicalizeStored<T extends JsonObject>(object: T, old?: JsonObject): T;
  /** The canonical form but for what is in atomic lists: it shows the fields that the managers of a new object own. */
  outline<T extends JsonObject>(object: T, old?: JsonObject): T;
  /**
   * `old` with the spelling that `now` has for each equal quantity, so that a comparison of the two sees only real
   * changes.
   */
  withEqualQuantities<T extends JsonObject>(old: T, now: JsonObject): T;
  /** Removes fields that the schema does not have from an object that was not decoded by it, in place. */
  prune(object: MutableJsonObject): void;
  /** Fills in the defaults that the schema states, in place. The defaults of built-in kinds are code of their kinds. */
  setDefaults(object: MutableJsonObject): void;
  /** What the schema finds wrong. `old` is the object before an update. The rules of built-in kinds are code of their kinds. */
  validate(object: JsonObject, old: JsonObject | undefined): readonly FieldError[];
}

/** Where the types of a kind's fields are described. */
export type KindType = StructType | PublishedType;

/** A structure of Go, with its protobuf message and its keys for strategic merge patches. */
export interface StructType {
  readonly from: "struct";
  readonly struct: StructSchema;
}

/** The OpenAPI schema of a version of a custom resource. It has neither protobuf messages nor strategic merge patches. */
export interface PublishedType {
  readonly from: "openApi";
  /** `openAPIV3Schema`, if the version has one. */
  readonly openApiSchema: JsonObject | undefined;
  readonly preserveUnknownFields: boolean;
  /** The built-in ObjectMeta. */
  readonly objectMeta: StructSchema;
}

/** A decoded body. */
export interface Decoded {
  readonly object: MutableJsonObject;
  /** What strict field validation refuses, in the order of the body: `unknown field "spec.foo"`, `duplicate field "data.a"`. */
  readonly strictErrors: readonly string[];
}

/** A merged document that was given its type. */
export interface Converted {
  readonly object: MutableJsonObject;
  /** `unknown field "spec.foo"`, sorted. */
  readonly unknownFields: readonly string[];
}

/** The structure of a built-in kind; undefined for a kind that arrived at run time. */
export function structOfKind({ type }: KindSchema): StructSchema | undefined {
  return type.from === "struct" ? type.struct : undefined;
}

/** The Go structure of a built-in kind. @throws {Error} for any other kind */
export function requiredStruct(schema: KindSchema | undefined): StructSchema {
  const struct = schema && structOfKind(schema);
  if (struct === undefined) throw new Error("only the objects of built-in kinds are Go structures");
  return struct;
}
