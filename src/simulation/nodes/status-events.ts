import type { RecordedEvent } from "../events/recorded-event.ts";

/** What a kubelet records about a node whose pressures end, in the order of its conditions. Upstream: pkg/kubelet/nodestatus/setters.go. */
export const reliefs: readonly string[] = [
  "NodeHasSufficientMemory",
  "NodeHasNoDiskPressure",
  "NodeHasSufficientPID",
];

export function statusEvent(node: string, reason: string): RecordedEvent {
  return { type: "Normal", reason, message: `Node ${node} status is now: ${reason}` };
}
