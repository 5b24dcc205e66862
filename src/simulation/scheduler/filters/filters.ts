import type { ClusterView } from "../snapshot/cluster-view.ts";
import type { NodeInfo } from "../snapshot/node-info.ts";
import type { PodInfo } from "../snapshot/pod-info.ts";
import type { Filter, FilterPlugin, Rejection } from "./filter.ts";
import { interPodAffinity } from "./inter-pod-affinity.ts";
import {
  namedNodes,
  nodeAffinity,
  nodePorts,
  nodeResourcesFit,
  nodeUnschedulable,
  taintToleration,
} from "./node-filters.ts";
import { podTopologySpread } from "./topology-spread.ts";
import { volumeLimits } from "./volume-limits.ts";
import { volumeRestrictions } from "./volume-restrictions.ts";
import { volumeZone } from "./volume-zone.ts";
import { volumeBinding } from "./volumes.ts";

/** In upstream's order (kubernetes, pkg/scheduler/apis/config/v1/default_plugins.go): the first rejection counts. */
const plugins: readonly FilterPlugin[] = [
  namedNodes,
  nodeUnschedulable,
  taintToleration,
  nodeAffinity,
  nodePorts,
  nodeResourcesFit,
  volumeRestrictions,
  volumeLimits,
  volumeBinding,
  volumeZone,
  podTopologySpread,
  interPodAffinity,
];

/** The first rejection of a node by all plugins; a text rejects the pod for all nodes. */
export function filtersFor(pod: PodInfo, view: ClusterView): Filter | string {
  const filters: Filter[] = [];
  for (const plugin of plugins) {
    const filter = plugin(pod, view);
    if (typeof filter === "string") return filter;
    if (filter !== undefined) filters.push(filter);
  }
  return (node) => firstRejection(filters, node);
}

function firstRejection(filters: readonly Filter[], node: NodeInfo): Rejection | undefined {
  for (const filter of filters) {
    const rejection = filter(node);
    if (rejection !== undefined) return rejection;
  }
  return undefined;
}
