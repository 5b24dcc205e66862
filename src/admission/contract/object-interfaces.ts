import type { GroupVersionKind, GroupVersionResource } from "../../apimachinery/group-version.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import type { ApplyKind } from "../../patch/apply/apply-kind.ts";

/** A resource or subresource in one version, and the kind of its objects. */
export interface ObjectVersion {
  readonly gvr: GroupVersionResource;
  readonly gvk: GroupVersionKind;
  readonly subresource: string;
}

/** Whether objects are in the form in which clients see them, as stored ones are, or as they were decoded and changed. */
export type ObjectForm = "canonical" | "decoded";

/** A decoded object, and what strict decoding refuses in it. Custom resources may have unknown fields. */
export interface DecodedObject {
  readonly object: MutableKubeObject;
  readonly strictErrors: readonly string[];
}

/** What webhooks and policies need to see objects in other versions. Upstream: apiserver, admission.ObjectInterfaces. */
export interface ObjectInterfaces {
  /** The other served resources that are stored as the same objects. */
  readonly equivalentsOf: (version: ObjectVersion) => readonly ObjectVersion[];
  /** Objects of one version in another one or the same, in the form in which clients see them; `form` is theirs. */
  readonly convert: (
    objects: readonly KubeObject[],
    from: ObjectVersion,
    to: ObjectVersion,
    form: ObjectForm,
  ) => Promise<readonly KubeObject[]> | readonly KubeObject[];
  /** The object in a JSON text that a patch left. @throws {DecodeError} with the message of Go's decoder */
  readonly decode: (text: string, version: ObjectVersion) => DecodedObject;
  /** Gives a merged document its type. @throws {DecodeError} with the message of Go's converter of unstructured objects */
  readonly fromUnstructured: (document: JsonObject, version: ObjectVersion) => MutableKubeObject;
  /** What apply knows about the kind; undefined if the documents of its own group and version do not describe it. */
  readonly applyKindOf: (version: ObjectVersion) => ApplyKind | undefined;
  /** Fills in the defaults of the version, in place. */
  readonly setDefaults: (object: MutableKubeObject, version: ObjectVersion) => void;
}
