import type { ClusterView } from "../snapshot/cluster-view.ts";
import type { NodeInfo } from "../snapshot/node-info.ts";
import type { PodInfo } from "../snapshot/pod-info.ts";
import type { FilterPlugin, NodeFilter, Occasion, PluginRejection } from "./filter.ts";
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

const pods: readonly Occasion[] = ["podAdded", "podRemoved", "podLabels"];

/**
 * In upstream's order (kubernetes, pkg/scheduler/apis/config/v1/default_plugins.go): the first rejection counts. Each with what may undo its
 * rejections, besides changes of nodes.
 */
const plugins: readonly (readonly [plugin: FilterPlugin, occasions: readonly Occasion[]])[] = [
  [namedNodes, []],
  [nodeUnschedulable, []],
  [taintToleration, []],
  [nodeAffinity, []],
  [nodePorts, ["podRemoved"]],
  [nodeResourcesFit, ["podRemoved", "podShrunk"]],
  [volumeRestrictions, ["podRemoved", "volume"]],
  [volumeLimits, ["podRemoved", "volume"]],
  [volumeBinding, ["volume"]],
  [volumeZone, ["volume"]],
  [podTopologySpread, [...pods, "nodeRemoved"]],
  [interPodAffinity, pods],
];

/** The first rejection of a node by all plugins; a rejection instead of a function is one for all nodes. */
export function filtersFor(pod: PodInfo, view: ClusterView): NodeFilter | PluginRejection {
  const filters: NodeFilter[] = [];
  for (const [plugin, occasions] of plugins) {
    const filter = plugin(pod, view);
    if (typeof filter === "string") return { reasons: [filter], isResolvable: false, occasions };
    if (filter === undefined) continue;
    filters.push((node) => {
      const rejection = filter(node);
      return rejection && { ...rejection, occasions };
    });
  }
  return (node) => firstRejection(filters, node);
}

function firstRejection(filters: readonly NodeFilter[], node: NodeInfo): PluginRejection | undefined {
  for (const filter of filters) {
    const rejection = filter(node);
    if (rejection !== undefined) return rejection;
  }
  return undefined;
}
