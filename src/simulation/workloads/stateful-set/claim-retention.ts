import { textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject, OwnerReference } from "../../../apimachinery/object-meta.ts";
import { claims } from "../contract/core-resources.ts";
import type { WorkloadEnvironment } from "../environment/workload-environment.ts";
import { controllerReference } from "../ownership/controller-reference.ts";

import { statefulClaims } from "./stateful-set-identity.ts";

/**
 * Makes the set, or the pod that is going, the owner of a claim that its policy deletes with it. Upstream: `updateClaimOwnerRefForSetAndPod`
 * (pkg/controller/statefulset/stateful_set_utils.go).
 *
 * | whenScaled | whenDeleted | the owner of the claim of a pod that stays | of one that goes |
 * | --- | --- | --- | --- |
 * | Retain | Retain | none | none |
 * | Retain | Delete | the set | the set |
 * | Delete | Retain | none | the pod |
 * | Delete | Delete | the set | the pod |
 *
 * Returns whether a claim had another owner.
 */
export async function keepClaimOwners(
  { client, lister, gates }: WorkloadEnvironment,
  set: KubeObject,
  pod: KubeObject,
  ordinal: number,
  state: "kept" | "condemned",
): Promise<boolean> {
  if (!gates.isEnabled("StatefulSetAutoDeletePVC")) return false;
  const { namespace = "" } = set.metadata;
  const policy = ownerOf(set, pod, state);
  // Before 1.28, the owner is not the controller of the claim.
  const owner = policy && (gates.since("1.28") ? controllerReference(policy) : referenceTo(policy));
  let hasChanged = false;
  for (const { metadata } of statefulClaims(set, ordinal)) {
    const claim = lister.get(claims, namespace, metadata.name ?? "");
    if (claim === undefined) continue;
    const { ownerReferences = [] } = claim.metadata;
    if (
      gates.since("1.28") &&
      ownerReferences.some((one) => isStale(one, "StatefulSet", set) || isStale(one, "Pod", pod))
    )
      continue;
    const others = ownerReferences.filter(({ uid }) => uid !== set.metadata.uid && uid !== pod.metadata.uid);
    // An object has one controller.
    const isTaken = gates.since("1.28") && others.some(({ controller }) => controller === true);
    const wanted = owner === undefined || isTaken ? others : [...others, owner];
    const isSame = wanted.map(({ uid }) => uid).join() === ownerReferences.map(({ uid }) => uid).join();
    if (isSame) continue;
    hasChanged = true;
    await client.update(
      { ...claim, metadata: { ...claim.metadata, ownerReferences: wanted } },
      { namespace },
    );
  }
  return hasChanged;
}

/**
 * Whether the claim of a pod that is to be created goes with a former pod of its name. Upstream: `PodClaimIsStale`
 * (pkg/controller/statefulset/stateful_pod_control.go).
 */
export function hasStaleClaim(
  { lister, gates }: WorkloadEnvironment,
  set: KubeObject,
  pod: string,
  ordinal: number,
): boolean {
  if (!gates.isEnabled("StatefulSetAutoDeletePVC")) return false;
  if (textAt(set, "spec", "persistentVolumeClaimRetentionPolicy", "whenScaled") !== "Delete") return false;
  const { namespace = "" } = set.metadata;
  return statefulClaims(set, ordinal).some(({ metadata }) => {
    const claim = lister.get(claims, namespace, metadata.name ?? "");
    return claim?.metadata.ownerReferences?.some(({ kind, name }) => kind === "Pod" && name === pod);
  });
}

/** Whether a reference is to a former object of the same name. */
function isStale({ kind, name, uid }: OwnerReference, wanted: string, { metadata }: KubeObject): boolean {
  return kind === wanted && name === metadata.name && uid !== metadata.uid;
}

function ownerOf(set: KubeObject, pod: KubeObject, state: "kept" | "condemned"): KubeObject | undefined {
  const policy = (field: string) => textAt(set, "spec", "persistentVolumeClaimRetentionPolicy", field);
  if (state === "condemned" && policy("whenScaled") === "Delete")
    return { ...pod, apiVersion: "v1", kind: "Pod" };
  return policy("whenDeleted") === "Delete" ? set : undefined;
}

function referenceTo({ apiVersion, kind, metadata: { name = "", uid = "" } }: KubeObject): OwnerReference {
  return { apiVersion, kind, name, uid };
}
