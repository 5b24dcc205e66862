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

/** A `/status` that leaves the metadata alone, too. */
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

/** Gives the metadata that clients may change elsewhere what it had. */
export function keepMetadata({ metadata }: MutableKubeObject, { metadata: old }: KubeObject): void {
  for (const field of keptMetadata) {
    if (old[field] === undefined) delete metadata[field];
    else Object.assign(metadata, { [field]: old[field] });
  }
}
