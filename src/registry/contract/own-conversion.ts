import type { Awaitable } from "../../apimachinery/awaitable.ts";
import type { GroupVersionKind } from "../../apimachinery/group-version.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";

/** The conversion of a kind whose fields differ between two versions. */
export interface OwnConversion {
  readonly fromStored: (object: KubeObject) => KubeObject;
  readonly toStored: (object: MutableKubeObject) => MutableKubeObject;
}

/** A conversion outside of the server, such as a webhook: it takes many objects at once, and may take time. */
export interface BatchConversion {
  /**
   * The objects in another version, in the same order.
   * @throws {StatusError} as a rejection, which answers the request
   */
  readonly convert: (
    objects: readonly KubeObject[],
    to: GroupVersionKind,
  ) => Awaitable<readonly KubeObject[]>;
}
