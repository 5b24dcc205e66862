import { textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";

/** The access modes in the order of the cell, and their short forms. */
const accessModes: readonly (readonly [mode: string, shown: string])[] = [
  ["ReadWriteOnce", "RWO"],
  ["ReadOnlyMany", "ROX"],
  ["ReadWriteMany", "RWX"],
  ["ReadWriteOncePod", "RWOP"],
];

const BETA_CLASS = "volume.beta.kubernetes.io/storage-class";

/** The phase of a volume or a claim, or `Terminating`. */
export function phaseText(object: KubeObject): string {
  return object.metadata.deletionTimestamp ? "Terminating" : textAt(object, "status", "phase");
}

/** The short forms of access modes. */
export function modesText(modes: readonly string[]): string {
  return accessModes
    .filter(([mode]) => modes.includes(mode))
    .map(([, shown]) => shown)
    .join(",");
}

/** The storage class of a volume or a claim. The beta annotation takes precedence over the field. */
export function storageClassText(object: KubeObject): string {
  return object.metadata.annotations?.[BETA_CLASS] ?? textAt(object, "spec", "storageClassName");
}
