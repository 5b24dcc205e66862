import { listAt, objectAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { bestVolume, classOf, requestOf } from "../../placement/claim-matching.ts";
import { nodeSelector } from "../../placement/node-selector.ts";
import { claimsOf, ownClaimProblem, selectedNode } from "../../placement/volume-binding.ts";
import type { ClusterView } from "../snapshot/cluster-view.ts";
import type { NodeInfo } from "../snapshot/node-info.ts";
import type { PodInfo } from "../snapshot/pod-info.ts";
import type { FilterPlugin } from "./filter.ts";

const claims = { group: "", resource: "persistentvolumeclaims" };
const volumes = { group: "", resource: "persistentvolumes" };
const classes = { group: "storage.k8s.io", resource: "storageclasses" };

/** What a node has to provide for the claims of a pod that wait for one: existing volumes, and new ones. */
export interface VolumePlan {
  readonly bindings: readonly (readonly [claim: KubeObject, volume: KubeObject])[];
  readonly provisions: readonly KubeObject[];
}

/**
 * Claims must be bound, unless their class waits for the first pod; the volumes of bound ones must be within reach, and those that wait need
 * a volume on the node (plugins/volumebinding).
 */
export const volumeBinding: FilterPlugin = (pod, view) => {
  const found = usedClaims(pod, view);
  if (typeof found === "string") return found;
  if (found.length === 0) return undefined;
  const waiting = found.filter((claim) => !isBound(claim));
  if (!waiting.every((claim) => waitsForConsumer(claim, view)))
    return "pod has unbound immediate PersistentVolumeClaims";
  const bound = found.filter(isBound);
  const places = bound.map((claim) => placeOf(claim, view));
  const tooFar = view.gates.since("1.33")
    ? "node(s) didn't match PersistentVolume's node affinity"
    : "node(s) had volume node affinity conflict";
  return (node) => {
    const unreachable = boundProblem(places, node, tooFar);
    const reasons = unreachable === undefined ? [] : [unreachable];
    if (volumePlan(waiting, node, view) === undefined) reasons.push(noneToBind);
    return reasons.length === 0 ? undefined : { reasons, isResolvable: false };
  };
};

const noVolume = "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)";
const noneToBind = "node(s) didn't find available persistent volumes to bind";

/** Upstream: `checkBoundClaims`. */
function boundProblem(places: readonly Place[], node: NodeInfo, tooFar: string): string | undefined {
  for (const place of places) {
    if (place === undefined) return noVolume;
    if (!place(node)) return tooFar;
  }
  return undefined;
}

/** What the claims of a pod that wait for a node need on this one. */
export function volumePlanOf(pod: PodInfo, node: NodeInfo, view: ClusterView): VolumePlan {
  const found = usedClaims(pod, view);
  const waiting = typeof found === "string" ? [] : found.filter((claim) => !isBound(claim));
  return volumePlan(waiting, node, view) ?? { bindings: [], provisions: [] };
}

/** The smallest claims choose first. Upstream: `FindPodVolumes` (plugins/volumebinding/binder.go). */
function volumePlan(
  waiting: readonly KubeObject[],
  node: NodeInfo,
  view: ClusterView,
): VolumePlan | undefined {
  const bindings: (readonly [KubeObject, KubeObject])[] = [];
  const provisions: KubeObject[] = [];
  const taken = new Set<KubeObject>();
  const sorted = waiting.toSorted((a, b) => Number(requestOf(a) - requestOf(b)));
  for (const claim of sorted) {
    const selected = claim.metadata.annotations?.[selectedNode];
    if (selected !== undefined && selected !== node.name) return undefined;
    const free = view.lister.list(volumes, "").filter((volume) => !taken.has(volume));
    const volume = selected === undefined ? bestVolume(claim, free, "any", node.node) : undefined;
    if (volume !== undefined) {
      taken.add(volume);
      bindings.push([claim, volume]);
    } else if (canProvision(claim, node, view)) provisions.push(claim);
    else return undefined;
  }
  return { bindings, provisions };
}

/** Upstream: `checkVolumeProvisions`. */
function canProvision(claim: KubeObject, { labels }: NodeInfo, view: ClusterView): boolean {
  const storageClass = view.lister.get(classes, "", classOf(claim));
  const provisioner = textAt(storageClass ?? {}, "provisioner");
  if (storageClass === undefined || /^(|kubernetes\.io\/no-provisioner)$/.test(provisioner)) return false;
  const terms = listAt(storageClass, "allowedTopologies").map((term) =>
    listAt(term, "matchLabelExpressions"),
  );
  const isAllowed = terms.some((expressions) =>
    expressions.every((one) => textsAt(one, "values").includes(labels[textAt(one, "key")] ?? "")),
  );
  return terms.length === 0 || isAllowed;
}

/** The claims of a pod, or why it cannot have them. Upstream: `podHasPVCs` (plugins/volumebinding/volume_binding.go). */
function usedClaims({ pod, namespace }: PodInfo, { lister }: ClusterView): readonly KubeObject[] | string {
  const found: KubeObject[] = [];
  const named = new Set(
    listAt(pod, "spec", "volumes").map((one) => textAt(one, "persistentVolumeClaim", "claimName")),
  );
  for (const name of claimsOf(pod)) {
    const claim = lister.get(claims, namespace, name);
    if (claim === undefined) {
      return named.has(name)
        ? `persistentvolumeclaim "${name}" not found`
        : `waiting for ephemeral volume controller to create the persistentvolumeclaim "${name}"`;
    }
    if (textAt(claim, "status", "phase") === "Lost") {
      const volume = textAt(claim, "spec", "volumeName");
      return `persistentvolumeclaim "${name}" bound to non-existent persistentvolume "${volume}"`;
    }
    if (claim.metadata.deletionTimestamp) return `persistentvolumeclaim "${name}" is being deleted`;
    const problem = named.has(name) ? undefined : ownClaimProblem(pod, claim);
    if (problem !== undefined) return problem;
    found.push(claim);
  }
  return found;
}

/** Whether a node is within reach of the volume of a bound claim; undefined if there is no such volume. */
type Place = ((node: NodeInfo) => boolean) | undefined;

function placeOf(claim: KubeObject, { lister }: ClusterView): Place {
  const volume = lister.get(volumes, "", textAt(claim, "spec", "volumeName"));
  if (volume === undefined) return undefined;
  const required = objectAt(volume, "spec", "nodeAffinity", "required");
  return required === undefined ? () => true : nodeSelector(required);
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
  const storageClass = lister.get(classes, "", classOf(claim));
  return storageClass !== undefined && textAt(storageClass, "volumeBindingMode") === "WaitForFirstConsumer";
}
