import type { ClusterView } from "../snapshot/cluster-view.ts";
import type { NodeInfo } from "../snapshot/node-info.ts";
import type { PodInfo } from "../snapshot/pod-info.ts";
import { imageLocality, preferredNodes, preferredTaints } from "./node-scores.ts";
import { preferredPods, preferredSpread } from "./pod-scores.ts";
import { balancedAllocation, leastAllocated } from "./resource-scores.ts";
import type { ScorePlugin } from "./score.ts";

/** Upstream's weights (kubernetes, pkg/scheduler/apis/config/v1/default_plugins.go). */
const plugins: readonly (readonly [plugin: ScorePlugin, weight: number])[] = [
  [preferredTaints, 3],
  [preferredNodes, 2],
  [leastAllocated, 1],
  [preferredSpread, 2],
  [preferredPods, 2],
  [balancedAllocation, 1],
  [imageLocality, 1],
];

/** The nodes with the highest sum of all scores. */
export function bestNodes(pod: PodInfo, nodes: readonly NodeInfo[], view: ClusterView): readonly NodeInfo[] {
  if (nodes.length <= 1) return nodes;
  const sums = nodes.map(() => 0);
  for (const [plugin, weight] of plugins) {
    const scores = plugin(pod, nodes, view);
    if (scores === undefined) continue;
    for (let index = 0; index < scores.length; index++) {
      sums[index] = (sums[index] ?? 0) + weight * (scores[index] ?? 0);
    }
  }
  const best = Math.max(...sums);
  return nodes.filter((_, index) => sums[index] === best);
}
