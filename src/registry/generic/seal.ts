import type { GroupResource } from "../../apimachinery/group-version.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import type { StoredResource } from "../contract/stored-resource.ts";

/** A placeholder for the revision, which is known at commit, in the right position of the field order. */
export const revisionPlaceholder = "0";

/** Groups whose objects are JSON in etcd, which distinguishes empty and absent lists; protobuf does not. */
const keptAsJson: ReadonlySet<string> = new Set(["apiextensions.k8s.io", "apiregistration.k8s.io"]);

/**
 * The object in canonical form, ready to be stored and shared. It shares equal parts with `old`, the object that it
 * replaces or resembles.
 */
export function sealForStorage(
  resource: StoredResource,
  object: MutableKubeObject,
  old?: KubeObject,
): KubeObject {
  object.metadata.resourceVersion ||= revisionPlaceholder;
  const { groupResource, schema } = resource.definition;
  return isKeptAsJson(groupResource)
    ? schema.canonicalize(object, old)
    : schema.canonicalizeStored(object, old);
}

/** Whether a built-in resource is JSON in etcd. */
export function isKeptAsJson({ group }: GroupResource): boolean {
  return keptAsJson.has(group);
}

/** The object as storage returns it, with defaults applied again. Returns the same object if nothing changes. */
export function readBack(resource: StoredResource, object: KubeObject): KubeObject {
  const read = resource.strategy.withStorageDefaults(object);
  return read === object ? object : sealForStorage(resource, read);
}
