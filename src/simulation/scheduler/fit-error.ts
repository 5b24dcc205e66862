import { compareText } from "../../apimachinery/text-order.ts";

/**
 * Why no node takes a pod: `0/3 nodes are available: 1 Too many pods, 2 Insufficient cpu.` Upstream: `FitError` in
 * pkg/scheduler/framework/types.go.
 */
export function fitErrorMessage(nodes: number, reasons: Iterable<string>): string {
  if (nodes === 0) return "no nodes available to schedule pods";
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const shown = [...counts].map(([reason, count]) => `${count} ${reason}`).sort(compareText);
  return `0/${nodes} nodes are available: ${shown.join(", ")}.`;
}

/** The same if all nodes are out for one reason of the pod. */
export function preFilterMessage(nodes: number, reason: string): string {
  return nodes === 0 ? "no nodes available to schedule pods" : `0/${nodes} nodes are available: ${reason}.`;
}
