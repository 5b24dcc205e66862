import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import { canonicalize, canonicalizeStored } from "../../schema/canonical.ts";
import type { StoredResource } from "../contract/stored-resource.ts";

/** Holds the place of the revision, which is known at the commit; it has to stand where Go's field order puts it. */
export const revisionPlaceholder = "0";

/** Groups whose server keeps JSON in etcd, which tells an empty list from none; protobuf does not. */
const keptAsJson: ReadonlySet<string> = new Set(["apiextensions.k8s.io", "apiregistration.k8s.io"]);

/**
 * The object in the order and with the zero values that it is answered with, ready to be stored and shared. Parts that it
 * shares with `old`, which was stored in its place or like it, are so already; those that come out the same are its own.
 */
export function sealForStorage(
  resource: StoredResource,
  object: MutableKubeObject,
  old?: KubeObject,
): KubeObject {
  object.metadata.resourceVersion ||= revisionPlaceholder;
  const canonical = keptAsJson.has(resource.definition.groupResource.group)
    ? canonicalize
    : canonicalizeStored;
  // Canonicalizing keeps what decoding and strategies made sure of: apiVersion, kind and metadata are there.
  return canonical(resource.definition.schema, object, old) as KubeObject;
}

/** The object as it comes back from storage, where defaults are filled in anew; itself if there is nothing to fill in. */
export function readBack(resource: StoredResource, object: KubeObject): KubeObject {
  const read = resource.strategy.asRead(object);
  return read === object ? object : sealForStorage(resource, read);
}
