import { parseGroupVersion } from "../../apimachinery/group-version.ts";
import type { MutableKubeObject, OwnerReference } from "../../apimachinery/object-meta.ts";

/** An object of a load with the uid that it gets. */
export interface LoadedObject {
  readonly object: MutableKubeObject;
  /** The uid in the manifest; undefined if it gives none. */
  readonly givenUid: string | undefined;
}

/**
 * Maps the owner references of loaded objects to the uids that the owners get: of an owner in the same load, by the uid
 * that its manifest gives, or by kind and name if it gives none. Other references stay as they are.
 */
export function mapOwnerReferences(objects: readonly LoadedObject[]): void {
  const byUid = new Map<string, string>();
  const byName = new Map<string, string>();
  for (const { object, givenUid } of objects) {
    const { uid = "", name = "", namespace = "" } = object.metadata;
    if (givenUid === undefined) byName.set(ownerKey(object, namespace, name), uid);
    else byUid.set(givenUid, uid);
  }
  for (const { object } of objects) {
    const { ownerReferences, namespace = "" } = object.metadata;
    if (!ownerReferences?.length) continue;
    object.metadata.ownerReferences = ownerReferences.map((owner): OwnerReference => {
      const named =
        byName.get(ownerKey(owner, namespace, owner.name)) ?? byName.get(ownerKey(owner, "", owner.name));
      const uid = byUid.get(owner.uid) ?? named ?? owner.uid;
      return uid === owner.uid ? owner : { ...owner, uid };
    });
  }
}

/** The kind without its version, because a reference may name another one. */
function ownerKey(
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
  namespace: string,
  name: string,
): string {
  return [parseGroupVersion(apiVersion)?.group, kind, namespace, name].join("/");
}
