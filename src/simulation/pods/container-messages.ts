import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type { RecordedEvent } from "../events/recorded-event.ts";
import type { PodContainer } from "./pod-runtime.ts";

/** What a kubelet says of a container that it starts. Upstream: `startContainer` (pkg/kubelet/kuberuntime/kuberuntime_container.go). */
export function startEvents(
  name: string,
  { since }: FeatureGates,
): readonly { readonly reason: string; readonly message: string }[] {
  if (since("1.35")) {
    return [
      { reason: "Created", message: "Container created" },
      { reason: "Started", message: "Container started" },
    ];
  }
  return [
    {
      reason: "Created",
      message: since("1.32") ? `Created container: ${name}` : `Created container ${name}`,
    },
    { reason: "Started", message: `Started container ${name}` },
  ];
}

/** What it says of a container that it ends with its pod. Upstream: `killContainer`. */
export function stoppingEvent({ name }: PodContainer): Omit<RecordedEvent, "fieldPath"> {
  return { type: "Normal", reason: "Killing", message: `Stopping container ${name}` };
}

/** What it says of a container that it ends because of a probe. Upstream: `computePodActions` (pkg/kubelet/kuberuntime/kuberuntime_manager.go). */
export function failedProbeMessage(
  { name, role }: PodContainer,
  probe: string,
  restartPolicy: string,
): string {
  if (role === "sidecar") return `Init container ${name} failed ${probe} probe`;
  return `Container ${name} failed ${probe} probe${restartPolicy === "Never" ? "" : ", will be restarted"}`;
}

/** Why a container waits for its restart, and what the Event about it says. Upstream: `doBackOff`. */
export function backOffMessages(
  { metadata: { name = "", namespace = "", uid = "" } }: KubeObject,
  container: string,
  milliseconds: number,
): { readonly message: string; readonly said: string } {
  const pod = `${name}_${namespace}(${uid})`;
  const delay = formatSeconds(milliseconds);
  return {
    message: `back-off ${delay} restarting failed container=${container} pod=${pod}`,
    said: `Back-off restarting failed container ${container} in pod ${pod}`,
  };
}

/** As Go prints such durations: `10s`, `1m20s`, `5m0s`. */
function formatSeconds(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}

/** Where an Event about a container points to. */
export function fieldPathOf({ name, role }: PodContainer): string {
  return `spec.${fieldOf[role]}{${name}}`;
}

const fieldOf = {
  init: "initContainers",
  sidecar: "initContainers",
  regular: "containers",
  ephemeral: "ephemeralContainers",
} as const;

/** Why a pod has no sandbox on a node without free addresses. */
export const noAddress =
  "Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox: no IP addresses available in range set";
