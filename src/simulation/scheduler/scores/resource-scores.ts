import type { NodeInfo } from "../snapshot/node-info.ts";
import { noResources, type Resources } from "../snapshot/resources.ts";
import { bestScore, type ScorePlugin } from "./score.ts";

/** Prefers nodes with the most free cores and memory (plugins/noderesources/least_allocated.go). */
export const leastAllocated: ScorePlugin = ({ scored }, nodes) => {
  const free = ({ usage }: NodeInfo, [name, all]: Allocatable): number => {
    const used = (usage.scored.get(name) ?? 0) + (scored.get(name) ?? 0);
    return used > all ? 0 : Math.floor(((all - used) * bestScore) / all);
  };
  return nodes.map((node) => {
    const known = allocatableOf(node);
    const sum = known.reduce((total, one) => total + free(node, one), 0);
    return known.length === 0 ? 0 : Math.floor(sum / known.length);
  });
};

/** Prefers nodes whose cores and memory are used in equal parts (plugins/noderesources/balanced_allocation.go). */
export const balancedAllocation: ScorePlugin = ({ requests }, nodes, { gates }) => {
  // A pod without requests does not change the balance of a node.
  if (gates.since("1.33") && !requests.get("cpu") && !requests.get("memory")) return undefined;
  return nodes.map((node) => {
    const after = balance(node, requests);
    if (!gates.since("1.36")) return after;
    // What counts is how much the pod improves the balance.
    return bestScore / 2 + Math.trunc((bestScore / 2 + after - balance(node, noResources)) / 2);
  });
};

/** From 50 to 100: how equally the cores and the memory of a node are used with these requests more. */
function balance(node: NodeInfo, requests: Resources): number {
  const [first, second] = allocatableOf(node).map(([name, all]) =>
    Math.min(1, ((node.usage.requested.get(name) ?? 0) + (requests.get(name) ?? 0)) / all),
  );
  const deviation = first === undefined || second === undefined ? 0 : Math.abs(first - second) / 2;
  return Math.floor((1 - deviation) * bestScore);
}

type Allocatable = readonly [name: string, amount: number];

/** The cores and the memory of a node, if it has any. */
function allocatableOf({ allocatable }: NodeInfo): readonly Allocatable[] {
  return ["cpu", "memory"]
    .map((name) => [name, allocatable.get(name) ?? 0] as const)
    .filter(([, amount]) => amount > 0);
}
