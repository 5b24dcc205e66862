import type { GroupVersionKind, GroupVersionResource } from "../../apimachinery/group-version.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";

/** A resource or subresource in one version, and the kind of its objects. */
export interface ObjectVersion {
  readonly gvr: GroupVersionResource;
  readonly gvk: GroupVersionKind;
  readonly subresource: string;
}

/** What webhooks and policies need to see objects in other versions. Upstream: apiserver, admission.ObjectInterfaces. */
export interface ObjectInterfaces {
  /** The other served resources that are stored as the same objects. */
  readonly equivalentsOf: (version: ObjectVersion) => readonly ObjectVersion[];
  /** Objects of one version in another one or the same, in the form in which clients see them. */
  readonly convert: (
    objects: readonly KubeObject[],
    from: ObjectVersion,
    to: ObjectVersion,
  ) => Promise<readonly KubeObject[]> | readonly KubeObject[];
  /** The object in a JSON text that a patch left. @throws {DecodeError} with the message of Go's decoder */
  readonly decode: (text: string, version: ObjectVersion) => MutableKubeObject;
  /** Fills in the defaults of the version, in place. */
  readonly setDefaults: (object: MutableKubeObject, version: ObjectVersion) => void;
}
