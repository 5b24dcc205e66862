import type { Identifiers } from "../../registry/contract/system-fields.ts";
import type { NodeFilter, PluginRejection } from "./filters/filter.ts";
import { filtersFor } from "./filters/filters.ts";
import type { SchedulerMemory } from "./scheduler-memory.ts";
import { bestNodes } from "./scores/scores.ts";
import { type ClusterView, viewWith } from "./snapshot/cluster-view.ts";
import type { NodeInfo } from "./snapshot/node-info.ts";
import type { PodInfo } from "./snapshot/pod-info.ts";

/** The nodes that can take a pod, and why the others cannot. */
export interface Feasibility {
  readonly feasible: readonly NodeInfo[];
  readonly rejections: ReadonlyMap<string, PluginRejection>;
}

const fewNodes = 100;
const leastPercentage = 5;

/** How many feasible nodes are enough (kubernetes, pkg/scheduler/schedule_one.go, numFeasibleNodesToFind). */
export function enoughNodes(nodes: number): number {
  if (nodes < fewNodes) return nodes;
  const percentage = Math.max(leastPercentage, 50 - Math.floor(nodes / 125));
  return Math.max(fewNodes, Math.floor((nodes * percentage) / 100));
}

/** Looks for feasible nodes where the last search ended, until there are enough. */
export function feasibleNodes(
  pod: PodInfo,
  view: ClusterView,
  filter: NodeFilter,
  memory: SchedulerMemory,
): Feasibility {
  const { nodes } = view;
  const enough = enoughNodes(nodes.length);
  const feasible: NodeInfo[] = [];
  const rejections = new Map<string, PluginRejection>();
  const { hasNominated } = memory;
  let seen = 0;
  for (; seen < nodes.length && feasible.length < enough; seen++) {
    const node = nodes[(memory.nextNode + seen) % nodes.length];
    if (node === undefined) continue;
    const rejection = (hasNominated ? rejectionWithNominated(pod, node, view) : undefined) ?? filter(node);
    if (rejection === undefined) feasible.push(node);
    else rejections.set(node.name, rejection);
  }
  memory.nextNode = nodes.length === 0 ? 0 : (memory.nextNode + seen) % nodes.length;
  return { feasible, rejections };
}

/**
 * A node must also take the pod together with those of at least its priority that others have to leave for. Upstream:
 * `RunFilterPluginsWithNominatedPods`.
 */
export function rejectionWithNominated(
  pod: PodInfo,
  node: NodeInfo,
  view: ClusterView,
): PluginRejection | undefined {
  const nominated = view.nominatedFor(node.name, pod.priority).filter(({ key }) => key !== pod.key);
  if (nominated.length === 0) return undefined;
  const fuller = viewWith(nominated, node, view);
  const filter = filtersFor(pod, fuller);
  return typeof filter === "function" ? filter(fuller.node(node.name) ?? node) : filter;
}

/** The node with the best scores; one of them by chance if there are several. */
export function chosenNode(
  pod: PodInfo,
  feasible: readonly NodeInfo[],
  view: ClusterView,
  identifiers: Identifiers,
): NodeInfo | undefined {
  const best = bestNodes(pod, feasible, view);
  return best.length <= 1 ? best[0] : best[identifiers.number(best.length)];
}
