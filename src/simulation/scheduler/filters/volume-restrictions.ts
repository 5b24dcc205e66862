import { booleanAt, listAt, objectAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { ClusterView } from "../snapshot/cluster-view.ts";
import type { PodInfo } from "../snapshot/pod-info.ts";
import { type FilterPlugin, resolvable } from "./filter.ts";

const claims = { group: "", resource: "persistentvolumeclaims" };

const usedByAnother =
  "node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode";

/**
 * Some disks, and claims with the mode ReadWriteOncePod, are for one pod at a time. Upstream: plugins/volumerestrictions. The missing claims
 * that it refuses are those of the filter for volumes.
 */
export const volumeRestrictions: FilterPlugin = (pod, view) => {
  const volumes = listAt(pod.spec, "volumes");
  if (volumes.length === 0) return undefined;
  const disks = volumes.flatMap(diskOf);
  const isTaken = isExclusiveClaimUsed(pod, view);
  // Before 1.27, no pod gives way.
  if (isTaken && !view.gates.since("1.27")) return usedByAnother;
  if (disks.length === 0 && !isTaken) return undefined;
  return (node) => {
    const others = view.podsOn(node.name).flatMap(({ spec }) => listAt(spec, "volumes").flatMap(diskOf));
    if (disks.some((disk) => others.some((other) => isConflict(disk, other))))
      return resolvable("node(s) had no available disk");
    return isTaken ? resolvable(usedByAnother) : undefined;
  };
};

function isExclusiveClaimUsed({ spec, namespace }: PodInfo, view: ClusterView): boolean {
  const exclusive = new Set(
    claimNames(spec).filter((name) => {
      const claim = view.lister.get(claims, namespace, name);
      return claim !== undefined && textsAt(claim, "spec", "accessModes").includes("ReadWriteOncePod");
    }),
  );
  if (exclusive.size === 0) return false;
  return view.podsIn(namespace).some((other) => claimNames(other.spec).some((name) => exclusive.has(name)));
}

function claimNames(spec: JsonObject): readonly string[] {
  return listAt(spec, "volumes").flatMap((volume) => {
    const name = textAt(volume, "persistentVolumeClaim", "claimName");
    return name === "" ? [] : [name];
  });
}

/** What identifies a disk: two pods conflict that have a source of one type with the same identity. */
interface Disk {
  readonly type: string;
  readonly identity: string;
  /** Where the disk can be found; two disks are one if they share an address. */
  readonly addresses: readonly string[];
  readonly isReadOnly: boolean;
}

function diskOf(volume: JsonObject): readonly Disk[] {
  const found: Disk[] = [];
  const add = (type: string, identify: (source: JsonObject) => string, addresses?: string, shares = true) => {
    const source = objectAt(volume, type);
    if (source === undefined) return;
    const isReadOnly = shares && booleanAt(source, "readOnly");
    const known = addresses === undefined ? [""] : textsAt(source, addresses);
    found.push({ type, identity: identify(source), addresses: known, isReadOnly });
  };
  add("gcePersistentDisk", (source) => textAt(source, "pdName"));
  add("awsElasticBlockStore", (source) => textAt(source, "volumeID"), undefined, false);
  add("iscsi", (source) => textAt(source, "iqn"));
  add("rbd", (source) => JSON.stringify([textAt(source, "pool"), textAt(source, "image")]), "monitors");
  return found;
}

function isConflict(a: Disk, b: Disk): boolean {
  if (a.type !== b.type || a.identity !== b.identity || (a.isReadOnly && b.isReadOnly)) return false;
  const addresses = new Set(a.addresses);
  return b.addresses.some((address) => addresses.has(address));
}
