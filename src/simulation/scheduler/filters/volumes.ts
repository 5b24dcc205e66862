import { listAt, objectAt, textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { nodeSelector } from "../../placement/node-selector.ts";
import type { ClusterView } from "../snapshot/cluster-view.ts";
import type { PodInfo } from "../snapshot/pod-info.ts";
import { type FilterPlugin, unresolvable } from "./filter.ts";

const claims = { group: "", resource: "persistentvolumeclaims" };
const volumes = { group: "", resource: "persistentvolumes" };
const classes = { group: "storage.k8s.io", resource: "storageclasses" };

/** The annotation by which the scheduler asks for a volume on a node. */
export const selectedNode = "volume.kubernetes.io/selected-node";

/**
 * Claims must be bound, unless their class waits for the first pod; the volumes of bound ones must be within reach
 * (plugins/volumebinding).
 */
export const volumeBinding: FilterPlugin = (pod, view) => {
  const used = claimsOf(pod);
  if (used.length === 0) return undefined;
  const found: KubeObject[] = [];
  for (const name of used) {
    const claim = view.lister.get(claims, pod.namespace, name);
    if (claim === undefined) return `persistentvolumeclaim "${name}" not found`;
    if (claim.metadata.deletionTimestamp) return `persistentvolumeclaim "${name}" is being deleted`;
    if (textAt(claim, "status", "phase") === "Lost") {
      return `persistentvolumeclaim "${name}" bound to non-existent persistentvolume "${textAt(claim, "spec", "volumeName")}"`;
    }
    if (!isBound(claim) && !waitsForConsumer(claim, view))
      return "pod has unbound immediate PersistentVolumeClaims";
    found.push(claim);
  }
  const places = found.filter(isBound).flatMap((claim) => {
    const volume = view.lister.get(volumes, "", textAt(claim, "spec", "volumeName"));
    const required = volume && objectAt(volume, "spec", "nodeAffinity", "required");
    return required === undefined ? [] : [nodeSelector(required)];
  });
  if (places.length === 0) return undefined;
  return (node) =>
    places.every((place) => place(node))
      ? undefined
      : unresolvable("node(s) had volume node affinity conflict");
};

/** The claims of a pod that wait for a node. */
export function waitingClaims(pod: PodInfo, view: ClusterView): readonly string[] {
  return claimsOf(pod).filter((name) => {
    const claim = view.lister.get(claims, pod.namespace, name);
    return claim !== undefined && !isBound(claim);
  });
}

/** The claims that the volumes of a pod name, also those that are made for it. */
function claimsOf({ spec, pod }: PodInfo): readonly string[] {
  return listAt(spec, "volumes").flatMap((volume) => {
    const claim = textAt(volume, "persistentVolumeClaim", "claimName");
    if (claim !== "") return [claim];
    return objectAt(volume, "ephemeral") === undefined
      ? []
      : [`${pod.metadata.name}-${textAt(volume, "name")}`];
  });
}

function isBound(claim: KubeObject): boolean {
  if (textAt(claim, "spec", "volumeName") === "") return false;
  const { annotations = {} } = claim.metadata;
  return (
    annotations["pv.kubernetes.io/bind-completed"] !== undefined ||
    textAt(claim, "status", "phase") === "Bound"
  );
}

function waitsForConsumer(claim: KubeObject, { lister }: ClusterView): boolean {
  const storageClass = lister.get(classes, "", textAt(claim, "spec", "storageClassName"));
  return storageClass !== undefined && textAt(storageClass, "volumeBindingMode") === "WaitForFirstConsumer";
}
