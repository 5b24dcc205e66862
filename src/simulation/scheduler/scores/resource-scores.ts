import type { NodeInfo } from "../snapshot/node-info.ts";
import { bestScore, type ScorePlugin } from "./score.ts";

/** Prefers nodes with the most free cores and memory (plugins/noderesources/least_allocated.go). */
export const leastAllocated: ScorePlugin = ({ scored }, nodes) => {
  const free = ({ allocatable, usage }: NodeInfo, name: string): number => {
    const all = allocatable.get(name) ?? 0;
    const used = (usage.scored.get(name) ?? 0) + (scored.get(name) ?? 0);
    return used > all ? 0 : Math.floor(((all - used) * bestScore) / all);
  };
  return nodes.map((node) => Math.floor((free(node, "cpu") + free(node, "memory")) / 2));
};

/** Prefers nodes whose cores and memory are used in equal parts (plugins/noderesources/balanced_allocation.go). */
export const balancedAllocation: ScorePlugin = ({ requests }, nodes) => {
  // A pod without requests does not change the balance of a node.
  if (!requests.get("cpu") && !requests.get("memory")) return undefined;
  const fraction = ({ allocatable, usage }: NodeInfo, name: string): number => {
    const all = allocatable.get(name) ?? 0;
    const used = (usage.requested.get(name) ?? 0) + (requests.get(name) ?? 0);
    return all === 0 ? 1 : Math.min(1, used / all);
  };
  return nodes.map((node) => {
    const deviation = Math.abs(fraction(node, "cpu") - fraction(node, "memory")) / 2;
    return Math.floor((1 - deviation) * bestScore);
  });
};
