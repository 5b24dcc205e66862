import type { JsonObject } from "../apimachinery/json.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { ListMeta } from "./encoding-target.ts";

/** The object reduced to its metadata. Many controllers cache only this. */
export function metadataOf(object: KubeObject, version: string): KubeObject {
  return {
    kind: "PartialObjectMetadata",
    apiVersion: `meta.k8s.io/${version}`,
    metadata: object.metadata,
  };
}

/** A list of such objects. Unlike items of typed lists, they state their kind. */
export function metadataList(
  objects: readonly KubeObject[],
  metadata: ListMeta,
  version: string,
): JsonObject {
  return {
    kind: "PartialObjectMetadataList",
    apiVersion: `meta.k8s.io/${version}`,
    metadata,
    items: objects.map((object) => metadataOf(object, version)),
  };
}
