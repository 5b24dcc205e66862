import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import type { Strategy } from "../contract/strategy.ts";
import { statusStrategy } from "./status.ts";

const keptMetadata = [
  "labels",
  "annotations",
  "finalizers",
  "ownerReferences",
  "deletionTimestamp",
  "generation",
] as const;

/** A `/status` that does not change metadata. */
export function statusOnlyStrategy(base: Strategy): Strategy {
  const status = statusStrategy(base);
  return {
    ...status,
    prepareForUpdate: (object, old, context) => {
      status.prepareForUpdate(object, old, context);
      keepMetadata(object, old);
    },
  };
}

/** Restores the metadata that clients can change at other endpoints. */
export function keepMetadata({ metadata }: MutableKubeObject, { metadata: old }: KubeObject): void {
  for (const field of keptMetadata) {
    if (old[field] === undefined) delete metadata[field];
    else Object.assign(metadata, { [field]: old[field] });
  }
}
