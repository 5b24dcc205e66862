import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import { canonicalizeStored } from "../../schema/canonical.ts";
import type { StoredResource } from "./stored-resource.ts";

/** Holds the place of the revision, which is known at the commit; it has to stand where Go's field order puts it. */
const revisionPlaceholder = "0";

/** The object in the order and with the zero values that it is answered with, ready to be stored and shared. */
export function sealForStorage(resource: StoredResource, object: MutableKubeObject): KubeObject {
  object.metadata.resourceVersion ||= revisionPlaceholder;
  // Canonicalizing keeps what decoding and strategies made sure of: apiVersion, kind and metadata are there.
  return canonicalizeStored(resource.definition.schema, object) as KubeObject;
}
