import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";

/** A kind whose fields have other names or places in another version. */
export interface OwnConversion {
  readonly fromStored: (object: KubeObject) => KubeObject;
  readonly toStored: (object: MutableKubeObject) => MutableKubeObject;
}
