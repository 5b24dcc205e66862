import { formatGroupVersion, type GroupVersionKind } from "../../apimachinery/group-version.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { canonicalize } from "../../schema/canonical.ts";
import type { StructSchema } from "../../schema/structural-schema.ts";
import type { ApplyType } from "./apply-type.ts";
import { builtinType } from "./builtin-type.ts";
import { customResourceType } from "./custom-resource-type.ts";

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
  /** Whether objects fit the type because they were decoded, or have to be checked. */
  readonly isDecoded: boolean;
}

/** A built-in kind. */
export function builtinKind(schema: StructSchema, gvk: GroupVersionKind): ApplyKind {
  return {
    type: builtinType(schema),
    empty: canonicalize(schema, { apiVersion: formatGroupVersion(gvk), kind: gvk.kind }),
    show: (object, live) => canonicalize(schema, object, live),
    isDecoded: true,
  };
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
  return {
    type: customResourceType(openApiSchema, builtinType(objectMeta), preserveUnknownFields),
    empty: { apiVersion: formatGroupVersion(gvk), kind: gvk.kind },
    show: (object) => object,
    isDecoded: false,
  };
}
