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

/** What apply needs to know about one version of a kind. */
export interface ApplyKind {
  readonly type: ApplyType;
  /** The object before any field is set. Its fields do not count as added by a create. */
  readonly empty: JsonObject;
  /**
   * An object in the form of responses, so that no manager owns fields that Go omits, and fields that Go always
   * writes do not count as added. `live` is the object that it replaces, in the same form.
   */
  readonly show: (object: JsonObject, live: JsonObject) => JsonObject;
  /**
   * A new object in the form of responses, and the fields that its creator owns.
   * @throws {ListItemError} for an item that cannot be identified
   */
  readonly create: (object: JsonObject) => Creation;
  /** Whether objects are decoded, and so fit the type. Others are checked. */
  readonly isDecoded: boolean;
}

/** A new object and its owned fields. */
export interface Creation {
  /** Frozen unless it is the object itself. */
  readonly shown: JsonObject;
  readonly owned: FieldSet;
}

/** The apply kind of a schema. */
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
  // Most objects come from the same template as the last one, and share its parts.
  let last = empty;
  return {
    type,
    empty,
    show: (object, live) => schema.canonicalize(object, live),
    create: (object) => {
      last = deepFreeze(schema.canonicalize(object, last));
      return { shown: last, owned: addedOrModified(comparison.with(last)) };
    },
    isDecoded: true,
  };
}

function addedOrModified({ modified, added }: Comparison): FieldSet {
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
    create: (object) => ({ shown: object, owned: addedOrModified(compareObjects(type, empty, object)) }),
    isDecoded: false,
  };
}
