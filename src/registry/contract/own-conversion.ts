import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";

/** The conversion of a kind whose fields differ between two versions. */
export interface OwnConversion {
  readonly fromStored: (object: KubeObject) => KubeObject;
  readonly toStored: (object: MutableKubeObject) => MutableKubeObject;
}
