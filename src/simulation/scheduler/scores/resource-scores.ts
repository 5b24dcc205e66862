import type { NodeInfo } from "../snapshot/node-info.ts";
import { noResources, type Resources } from "../snapshot/resources.ts";
import { bestScore, type ScorePlugin } from "./score.ts";

/** The resources that count. */
const counted = ["cpu", "memory"] as const;

/** Prefers nodes with the most free cores and memory (plugins/noderesources/least_allocated.go). */
export const leastAllocated: ScorePlugin = ({ scored }, nodes) =>
  nodes.map(({ allocatable, usage }) => {
    let [sum, known] = [0, 0];
    for (const name of counted) {
      const all = allocatable.get(name) ?? 0;
      if (all <= 0) continue;
      const used = (usage.scored.get(name) ?? 0) + (scored.get(name) ?? 0);
      known += 1;
      if (used <= all) sum += Math.floor(((all - used) * bestScore) / all);
    }
    return known === 0 ? 0 : Math.floor(sum / known);
  });

/** Prefers nodes whose cores and memory are used in equal parts (plugins/noderesources/balanced_allocation.go). */
export const balancedAllocation: ScorePlugin = ({ requests }, nodes, { gates }) => {
  // A pod without requests does not change the balance of a node.
  if (gates.since("1.33") && !requests.get("cpu") && !requests.get("memory")) return undefined;
  const isRelative = gates.since("1.36");
  return nodes.map((node) => {
    const after = balance(node, requests);
    if (!isRelative) return after;
    // What counts is how much the pod improves the balance.
    return bestScore / 2 + Math.trunc((bestScore / 2 + after - balance(node, noResources)) / 2);
  });
};

/** From 50 to 100: how equally the cores and the memory of a node are used with these requests more. */
function balance(node: NodeInfo, requests: Resources): number {
  const [cores, memory] = [usedPart("cpu", node, requests), usedPart("memory", node, requests)];
  const deviation = cores === undefined || memory === undefined ? 0 : Math.abs(cores - memory) / 2;
  return Math.floor((1 - deviation) * bestScore);
}

/** The part of a resource that is used, at most 1; undefined if the node has none of it. */
function usedPart(name: string, { allocatable, usage }: NodeInfo, requests: Resources): number | undefined {
  const all = allocatable.get(name) ?? 0;
  if (all <= 0) return undefined;
  return Math.min(1, ((usage.requested.get(name) ?? 0) + (requests.get(name) ?? 0)) / all);
}
