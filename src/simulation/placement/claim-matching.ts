import { listAt, objectAt, textAt, textOr, textsAt, valueAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { parseQuantity } from "../../apimachinery/quantity.ts";
import { labelSelectorFromObject } from "../../apimachinery/selectors/label-selector-object.ts";
import { nodeSelector } from "./node-selector.ts";

/** The annotation by which the scheduler asks for a volume on a node. */
export const selectedNode = "volume.kubernetes.io/selected-node";

/** The annotation of a volume or claim that was not bound by its creator. */
export const boundByController = "pv.kubernetes.io/bound-by-controller";

const classAnnotation = "volume.beta.kubernetes.io/storage-class";

/** The claims that the volumes of a pod name, also those that are made for it. */
export function claimsOf(pod: KubeObject): readonly string[] {
  return listAt(pod, "spec", "volumes").flatMap((volume) => {
    const claim = textAt(volume, "persistentVolumeClaim", "claimName");
    if (claim !== "") return [claim];
    return objectAt(volume, "ephemeral") === undefined
      ? []
      : [`${pod.metadata.name}-${textAt(volume, "name")}`];
  });
}

/** The storage class of a claim or a volume; the empty text if it has none. */
export function classOf(object: KubeObject): string {
  return object.metadata.annotations?.[classAnnotation] ?? textAt(object, "spec", "storageClassName");
}

/** Whether a volume is reserved for a claim, or bound to it. Upstream: `IsVolumeBoundToClaim` (component-helpers, storage/volume/pv_helpers.go). */
export function isReservedFor(volume: KubeObject, { metadata }: KubeObject): boolean {
  const reference = objectAt(volume, "spec", "claimRef");
  if (reference === undefined) return false;
  if (reference["name"] !== metadata.name || reference["namespace"] !== metadata.namespace) return false;
  const uid = textAt(reference, "uid");
  return uid === "" || uid === metadata.uid;
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
  if (volumeMode(volume) !== volumeMode(claim)) return "incompatible volumeMode";
  return hasModes(volume, claim) ? undefined : "incompatible accessMode";
}

/** The patch that binds a volume to a claim; undefined if it is bound to it. Upstream: `GetBindVolumeToClaim`. */
export function bindingPatch(volume: KubeObject, claim: KubeObject): JsonObject | undefined {
  const { name = "", namespace = "", uid = "", resourceVersion = "" } = claim.metadata;
  if (textAt(volume, "spec", "claimRef", "uid") === uid) return undefined;
  const claimRef = {
    kind: claim.kind,
    namespace,
    name,
    uid,
    apiVersion: claim.apiVersion,
    resourceVersion,
  };
  const metadata = isReservedFor(volume, claim)
    ? {}
    : { metadata: { annotations: { [boundByController]: "yes" } } };
  return { ...metadata, spec: { claimRef } };
}

/** How many bytes a claim requests. */
export function requestOf(claim: KubeObject): bigint {
  return bytes(textAt(claim, "spec", "resources", "requests", "storage"));
}

/** What holds for reserved volumes, too. */
function isUsable(volume: KubeObject, claim: KubeObject): boolean {
  return (
    !volume.metadata.deletionTimestamp &&
    sizeOf(volume) >= requestOf(claim) &&
    volumeMode(volume) === volumeMode(claim) &&
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
