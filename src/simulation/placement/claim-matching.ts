import { objectAt, textAt, textOr, textsAt, valueAt } from "../../apimachinery/fields.ts";
import { isJsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { parseQuantity } from "../../apimachinery/quantity.ts";
import { labelSelectorFromObject } from "../../apimachinery/selectors/label-selector-object.ts";
import { nodeSelector } from "./node-selector.ts";
import { isReservedFor } from "./volume-binding.ts";

const classAnnotation = "volume.beta.kubernetes.io/storage-class";

/** The storage class of a claim or a volume; the empty text if it has none. */
export function classOf(object: KubeObject): string {
  return object.metadata.annotations?.[classAnnotation] ?? textAt(object, "spec", "storageClassName");
}

/** Whether a claim says which class it has, even if it says that it has none. */
export function namesClass({ metadata, spec }: KubeObject): boolean {
  const hasField = isJsonObject(spec) && spec["storageClassName"] !== undefined;
  return hasField || metadata.annotations?.[classAnnotation] !== undefined;
}

/**
 * The volume that suits a claim best: one that is reserved for it, or else the smallest of those with the fewest access modes. With a node, the
 * volume must be within its reach. `mode` says whether any volume counts, or only reserved ones. Upstream: `FindMatchingVolume`.
 */
export function bestVolume(
  claim: KubeObject,
  volumes: readonly KubeObject[],
  mode: "any" | "reserved",
  node: KubeObject | undefined,
): KubeObject | undefined {
  const usable = volumes.filter((volume) => isUsable(volume, claim) && isWithinReach(volume, node));
  const reserved = usable.find((volume) => isReservedFor(volume, claim));
  if (reserved !== undefined || mode === "reserved") return reserved;
  const selector = labelSelectorFromObject(valueAt(claim, "spec", "selector") ?? {});
  const fitting = usable.filter(
    (volume) =>
      textAt(volume, "status", "phase") === "Available" &&
      objectAt(volume, "spec", "claimRef") === undefined &&
      classOf(volume) === classOf(claim) &&
      selector.matches(volume.metadata.labels ?? {}),
  );
  return fitting.toSorted(bestFirst)[0];
}

/** Why a volume that a claim names does not do; undefined if it does. Upstream: `checkVolumeSatisfyClaim` (pkg/controller/volume/persistentvolume/pv_controller.go). */
export function mismatch(volume: KubeObject, claim: KubeObject): string | undefined {
  if (volume.metadata.deletionTimestamp) return `the volume is marked for deletion "${volume.metadata.name}"`;
  if (sizeOf(volume) < requestOf(claim)) return "requested PV is too small";
  if (classOf(volume) !== classOf(claim)) return "storageClassName does not match";
  if (!hasSameAttributes(volume, claim)) return "volumeAttributesClassName does not match";
  if (!hasSameMode(volume, claim)) return "incompatible volumeMode";
  return hasModes(volume, claim) ? undefined : "incompatible accessMode";
}

/** How many bytes a claim requests. */
export function requestOf(claim: KubeObject): bigint {
  return bytes(textAt(claim, "spec", "resources", "requests", "storage"));
}

/** How many bytes a claim has, by its status. */
export function capacityOf(claim: KubeObject): bigint {
  return bytes(textAt(claim, "status", "capacity", "storage"));
}

/** Whether a volume and a claim are both file systems, or both devices. Upstream: `CheckVolumeModeMismatches`. */
export function hasSameMode(volume: KubeObject, claim: KubeObject): boolean {
  return volumeMode(volume) === volumeMode(claim);
}

/** Neither has a class of attributes while the gate VolumeAttributesClass is off. */
function hasSameAttributes(volume: KubeObject, claim: KubeObject): boolean {
  return attributesClassOf(volume) === attributesClassOf(claim);
}

function attributesClassOf(object: KubeObject): string {
  return textAt(object, "spec", "volumeAttributesClassName");
}

/** What holds for reserved volumes, too. */
function isUsable(volume: KubeObject, claim: KubeObject): boolean {
  return (
    !volume.metadata.deletionTimestamp &&
    sizeOf(volume) >= requestOf(claim) &&
    hasSameMode(volume, claim) &&
    hasSameAttributes(volume, claim) &&
    hasModes(volume, claim)
  );
}

function isWithinReach(volume: KubeObject, node: KubeObject | undefined): boolean {
  const required = objectAt(volume, "spec", "nodeAffinity", "required");
  if (node === undefined || required === undefined) return true;
  const { name = "", labels = {} } = node.metadata;
  return nodeSelector(required)({ name, labels });
}

function bestFirst(a: KubeObject, b: KubeObject): number {
  const modes = (one: KubeObject) => textsAt(one, "spec", "accessModes").length;
  const size = sizeOf(a) - sizeOf(b);
  if (modes(a) !== modes(b)) return modes(a) - modes(b);
  if (size !== 0n) return size < 0n ? -1 : 1;
  return (a.metadata.name ?? "") < (b.metadata.name ?? "") ? -1 : 1;
}

function hasModes(volume: KubeObject, claim: KubeObject): boolean {
  const offered = new Set(textsAt(volume, "spec", "accessModes"));
  return textsAt(claim, "spec", "accessModes").every((mode) => offered.has(mode));
}

function volumeMode(object: KubeObject): string {
  return textOr("Filesystem", object, "spec", "volumeMode");
}

function sizeOf(volume: KubeObject): bigint {
  return bytes(textAt(volume, "spec", "capacity", "storage"));
}

function bytes(quantity: string): bigint {
  return quantity === "" ? 0n : parseQuantity(quantity).scaledValue(0);
}
