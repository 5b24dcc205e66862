import { formatGroupVersion, type GroupVersionKind } from "../../apimachinery/group-version.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { StructSchema } from "../../catalog/type-schema.ts";
import { canonicalize } from "../../schema/canonical.ts";
import { deepFreeze } from "../../store/deep-freeze.ts";
import type { ApplyType } from "./apply-type.ts";
import { builtinType } from "./builtin-type.ts";
import { type Comparison, compareObjects, RepeatedComparison } from "./compare.ts";
import { customResourceType } from "./custom-resource-type.ts";
import type { FieldSet } from "./field-set.ts";
import { union } from "./field-set-algebra.ts";

/** What apply has to know of one version of a kind. */
export interface ApplyKind {
  readonly type: ApplyType;
  /** The object before anything is set in it. What it has does not count as added by whoever creates the object. */
  readonly empty: JsonObject;
  /**
   * An object as it would be answered: what Go leaves out is not owned, and what it always writes is not added. `live` is
   * what it replaces, as it is answered.
   */
  readonly show: (object: JsonObject, live: JsonObject) => JsonObject;
  /**
   * A new object as it would be answered, and what its creator owns.
   * @throws {ListItemError} for an item that cannot be told from others
   */
  readonly create: (object: JsonObject) => Creation;
  /** Whether objects fit the type because they were decoded, or have to be checked. */
  readonly isDecoded: boolean;
}

/** What becomes of a new object. */
export interface Creation {
  /** Frozen, if it is not the object itself. */
  readonly shown: JsonObject;
  readonly owned: FieldSet;
}

/** A built-in kind. */
export function builtinKind(schema: StructSchema, gvk: GroupVersionKind): ApplyKind {
  const type = builtinType(schema);
  const empty = canonicalize(schema, { apiVersion: formatGroupVersion(gvk), kind: gvk.kind });
  const comparison = new RepeatedComparison(type, empty);
  // Most objects are made of the same template as the last one, and share with it what they can.
  let last = empty;
  return {
    type,
    empty,
    show: (object, live) => canonicalize(schema, object, live),
    create: (object) => {
      last = deepFreeze(canonicalize(schema, object, last));
      return { shown: last, owned: come(comparison.with(last)) };
    },
    isDecoded: true,
  };
}

/** What was not there before, or otherwise. */
function come({ modified, added }: Comparison): FieldSet {
  return union(modified, added);
}

/** What is published of a version of a custom resource. */
export interface CustomResourceSchema {
  /** `openAPIV3Schema`, if the version has one. */
  readonly openApiSchema: JsonObject | undefined;
  readonly preserveUnknownFields: boolean;
  /** The built-in ObjectMeta. */
  readonly objectMeta: StructSchema;
}

/** A kind of custom resources. */
export function customKind(schema: CustomResourceSchema, gvk: GroupVersionKind): ApplyKind {
  const { openApiSchema, objectMeta, preserveUnknownFields } = schema;
  const type = customResourceType(openApiSchema, builtinType(objectMeta), preserveUnknownFields);
  const empty = { apiVersion: formatGroupVersion(gvk), kind: gvk.kind };
  return {
    type,
    empty,
    show: (object) => object,
    create: (object) => ({ shown: object, owned: come(compareObjects(type, empty, object)) }),
    isDecoded: false,
  };
}
