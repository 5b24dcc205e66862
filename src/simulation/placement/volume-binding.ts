import { listAt, objectAt, textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";

/** The annotation by which the scheduler asks for a volume on a node. */
export const selectedNode = "volume.kubernetes.io/selected-node";

/** The annotation of a volume or claim that was not bound by its creator. */
export const boundByController = "pv.kubernetes.io/bound-by-controller";

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

/** Why a claim is not that of an ephemeral volume of a pod; undefined if it is. Upstream: `VolumeIsForPod` (component-helpers, storage/ephemeral). */
export function ownClaimProblem(pod: KubeObject, claim: KubeObject): string | undefined {
  const isOwner = claim.metadata.ownerReferences?.some(
    ({ controller, uid }) => controller === true && uid === pod.metadata.uid,
  );
  if (isOwner) return undefined;
  const { namespace, name } = pod.metadata;
  return `PVC ${namespace}/${claim.metadata.name} was not created for pod ${namespace}/${name} (pod is not owner)`;
}

/** Whether a volume is reserved for a claim, or bound to it. Upstream: `IsVolumeBoundToClaim` (component-helpers, storage/volume/pv_helpers.go). */
export function isReservedFor(volume: KubeObject, { metadata }: KubeObject): boolean {
  const reference = objectAt(volume, "spec", "claimRef");
  if (reference === undefined) return false;
  if (reference["name"] !== metadata.name || reference["namespace"] !== metadata.namespace) return false;
  const uid = textAt(reference, "uid");
  return uid === "" || uid === metadata.uid;
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
