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
    const others = ownerReferences.filter(({ uid }) => uid !== set.metadata.uid && uid !== pod.metadata.uid);
    const wanted = owner === undefined ? others : [...others, owner];
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

function ownerOf(set: KubeObject, pod: KubeObject, state: "kept" | "condemned"): KubeObject | undefined {
  const policy = (field: string) => textAt(set, "spec", "persistentVolumeClaimRetentionPolicy", field);
  if (state === "condemned" && policy("whenScaled") === "Delete")
    return { ...pod, apiVersion: "v1", kind: "Pod" };
  return policy("whenDeleted") === "Delete" ? set : undefined;
}

function referenceTo({ apiVersion, kind, metadata: { name = "", uid = "" } }: KubeObject): OwnerReference {
  return { apiVersion, kind, name, uid };
}
