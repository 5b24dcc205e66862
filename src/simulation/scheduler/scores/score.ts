import type { ClusterView } from "../snapshot/cluster-view.ts";
import type { NodeInfo } from "../snapshot/node-info.ts";
import type { PodInfo } from "../snapshot/pod-info.ts";

/** The best score of a node. */
export const bestScore = 100;

/** The scores of nodes, in their order, from 0 to 100; undefined if all are the same. */
export type ScorePlugin = (
  pod: PodInfo,
  nodes: readonly NodeInfo[],
  view: ClusterView,
) => readonly number[] | undefined;

/** Scales scores so that the highest is 100; undefined if all are 0 (pkg/scheduler/framework/plugins/helper/normalize_score.go). */
export function scaledToBest(scores: readonly number[]): readonly number[] | undefined {
  const highest = Math.max(...scores);
  if (highest === 0) return undefined;
  return scores.map((score) => Math.floor((score * bestScore) / highest));
}

/** The same, with the highest score as the worst. */
export function scaledToWorst(scores: readonly number[]): readonly number[] | undefined {
  return scaledToBest(scores)?.map((score) => bestScore - score);
}
