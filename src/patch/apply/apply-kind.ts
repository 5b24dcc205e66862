import { formatGroupVersion, type GroupVersionKind } from "../../apimachinery/group-version.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KindSchema, PublishedType, StructType } from "../../schema/kind-schema.ts";
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

/** The kind of a schema. */
export function applyKind(schema: KindSchema, gvk: GroupVersionKind): ApplyKind {
  const { type } = schema;
  return type.from === "struct" ? builtinKind(schema, type, gvk) : customKind(type, gvk);
}

function builtinKind(schema: KindSchema, { struct }: StructType, gvk: GroupVersionKind): ApplyKind {
  const type = builtinType(struct);
  const empty: JsonObject = schema.canonicalize<JsonObject>({
    apiVersion: formatGroupVersion(gvk),
    kind: gvk.kind,
  });
  const comparison = new RepeatedComparison(type, empty);
  // Most objects are made of the same template as the last one, and share with it what they can.
  let last = empty;
  return {
    type,
    empty,
    show: (object, live) => schema.canonicalize(object, live),
    create: (object) => {
      last = deepFreeze(schema.canonicalize(object, last));
      return { shown: last, owned: come(comparison.with(last)) };
    },
    isDecoded: true,
  };
}

/** What was not there before, or otherwise. */
function come({ modified, added }: Comparison): FieldSet {
  return union(modified, added);
}

/** A kind of custom resources. */
export function customKind(published: Omit<PublishedType, "from">, gvk: GroupVersionKind): ApplyKind {
  const { openApiSchema, preserveUnknownFields } = published;
  const objectMeta = builtinType(published.objectMeta);
  const type = customResourceType(openApiSchema, { objectMeta, preserveUnknownFields });
  const empty = { apiVersion: formatGroupVersion(gvk), kind: gvk.kind };
  return {
    type,
    empty,
    show: (object) => object,
    create: (object) => ({ shown: object, owned: come(compareObjects(type, empty, object)) }),
    isDecoded: false,
  };
}
