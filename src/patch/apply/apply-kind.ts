import { formatGroupVersion, type GroupVersionKind } from "../../apimachinery/group-version.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KindSchema, PublishedType, StructType } from "../../schema/kind-schema.ts";
import type { ApplyType } from "./apply-type.ts";
import { builtinType } from "./builtin-type.ts";
import { customResourceType } from "./custom-resource-type.ts";

/** What apply needs to know about one version of a kind. */
export interface ApplyKind {
  readonly type: ApplyType;
  /** The object before any field is set. Its fields do not count as added by a create. */
  readonly empty: JsonObject;
  /**
   * An object in the form of responses, so that no manager owns fields that Go omits, and fields that Go always
   * writes do not count as added. `live` is the object that it replaces or shares parts with, in the same form.
   */
  readonly show: (object: JsonObject, live: JsonObject) => JsonObject;
  /** The same for a new object, of whose atomic lists only the whole counts. */
  readonly outline: (object: JsonObject, latest: JsonObject) => JsonObject;
  /** Whether objects are decoded, and so fit the type. Others are checked. */
  readonly isDecoded: boolean;
}

/** The apply kind of a schema. */
export function applyKind(schema: KindSchema, gvk: GroupVersionKind): ApplyKind {
  const { type } = schema;
  return type.from === "struct" ? builtinKind(schema, type, gvk) : customKind(type, gvk);
}

function builtinKind(schema: KindSchema, { struct }: StructType, gvk: GroupVersionKind): ApplyKind {
  return {
    type: builtinType(struct),
    empty: schema.canonicalize<JsonObject>({ apiVersion: formatGroupVersion(gvk), kind: gvk.kind }),
    show: (object, live) => schema.canonicalize(object, live),
    outline: (object, latest) => schema.outline(object, latest),
    isDecoded: true,
  };
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
    outline: (object) => object,
    isDecoded: false,
  };
}
