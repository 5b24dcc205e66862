import { listAt, numberAt, objectAt, textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { classOf } from "../../placement/claim-matching.ts";
import { claimsOf } from "../../placement/volume-binding.ts";
import type { ClusterView } from "../snapshot/cluster-view.ts";
import type { PodInfo } from "../snapshot/pod-info.ts";
import { type FilterPlugin, resolvable } from "./filter.ts";

const claims = { group: "", resource: "persistentvolumeclaims" };
const volumes = { group: "", resource: "persistentvolumes" };
const classes = { group: "storage.k8s.io", resource: "storageclasses" };
const csiNodes = { group: "storage.k8s.io", resource: "csinodes" };

const tooMany = resolvable("node(s) exceed max volume count");

/** A node takes no more volumes of a CSI driver than its CSINode allows; pods share volumes. Upstream: plugins/nodevolumelimits. */
export const volumeLimits: FilterPlugin = (pod, view) => {
  const wanted = driversOfVolumes(pod, view);
  if (wanted.size === 0) return undefined;
  return (node) => {
    const limits = limitsOf(view.lister.get(csiNodes, "", node.name));
    if (limits.size === 0) return undefined;
    const attached = new Map(view.podsOn(node.name).flatMap((other) => [...driversOfVolumes(other, view)]));
    const added = [...wanted].filter(([id]) => !attached.has(id)).map(([, driver]) => driver);
    const exceeds = [...limits].some(([driver, limit]) => {
      const isOfDriver = (one: string) => one === driver;
      const more = added.filter(isOfDriver).length;
      return more > 0 && [...attached.values()].filter(isOfDriver).length + more > limit;
    });
    return exceeds ? tooMany : undefined;
  };
};

/** How many volumes of each driver a node can have. */
function limitsOf(csiNode: KubeObject | undefined): ReadonlyMap<string, number> {
  const limits = new Map<string, number>();
  for (const driver of csiNode === undefined ? [] : listAt(csiNode, "spec", "drivers")) {
    const allocatable = objectAt(driver, "allocatable");
    if (allocatable?.["count"] !== undefined)
      limits.set(textAt(driver, "name"), numberAt(allocatable, "count"));
  }
  return limits;
}

/** The drivers of the CSI volumes of a pod, by what identifies a volume. */
function driversOfVolumes({ pod, namespace }: PodInfo, { lister }: ClusterView): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const name of claimsOf(pod)) {
    const claim = lister.get(claims, namespace, name);
    if (claim === undefined) continue;
    const volume = lister.get(volumes, "", textAt(claim, "spec", "volumeName"));
    const csi = volume && objectAt(volume, "spec", "csi");
    if (csi !== undefined) {
      found.set(`${csi["driver"]}/${csi["volumeHandle"]}`, textAt(csi, "driver"));
    } else if (volume === undefined) {
      const storageClass = lister.get(classes, "", classOf(claim));
      // The volume that will be provisioned.
      if (storageClass !== undefined) found.set(`/${namespace}/${name}`, textAt(storageClass, "provisioner"));
    }
  }
  return found;
}
