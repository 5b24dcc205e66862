import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";

/** How an Event refers to an object. Upstream: client-go, tools/reference/ref.go. */
export function objectReference({ kind, apiVersion, metadata }: KubeObject, fieldPath?: string): JsonObject {
  const { name = "", namespace = "", uid = "", resourceVersion = "" } = metadata;
  return {
    kind,
    ...(namespace !== "" && { namespace }),
    name,
    uid,
    ...(apiVersion !== "" && { apiVersion }),
    ...(resourceVersion !== "" && { resourceVersion }),
    ...(fieldPath !== undefined && { fieldPath }),
  };
}
