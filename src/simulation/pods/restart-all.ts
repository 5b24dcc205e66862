import { listAt } from "../../apimachinery/fields.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type { Condition } from "../../kinds/core/pod/pod-conditions.ts";
import type { ContainerRuntime, EndedContainer, PodContainer } from "./pod-runtime.ts";
import { restartAction } from "./restart-policy.ts";

/** How long it takes until a kubelet sees that containers have ended (`genericPlegRelistPeriod`), in milliseconds. */
export const relistPeriod = 1000;

/** What a kubelet says of a container that it ends to restart all. Its grace period is 0. */
export const resetMessage = "killing";

const removed = {
  reason: "RestartingAllContainers",
  message: "The container is removed because RestartAllContainers in place",
};
const killed = 137;

/** Whether a container has ended in a way for which all containers of its pod restart. Upstream: `ShouldAllContainersRestart` (pkg/kubelet/container/helpers.go). */
export function restartsAll({ role, spec }: PodContainer, { ended, waiting }: ContainerRuntime): boolean {
  if (ended === undefined || waiting !== undefined || role === "ephemeral") return false;
  return restartAction(spec, ended.exitCode) === "RestartAllContainers";
}

/** The containers that a kubelet removes to restart all, in the order in which it ends them. */
export function resetContainers(all: readonly PodContainer[]): readonly PodContainer[] {
  const initial = all.filter(({ role }) => role === "init" || role === "sidecar");
  return [...all.filter(({ role }) => role === "regular"), ...initial];
}

/**
 * A container that was removed to restart all: it waits, has one restart more and, since 1.36, has ended because of it. One that has waited already goes on to wait.
 * Upstream: `convertToAPIContainerStatuses` (pkg/kubelet/kubelet_pods.go).
 */
export function removedContainer(state: ContainerRuntime, { since }: FeatureGates): ContainerRuntime {
  const { running, ended, waiting, last, stop: _, probeFailures: __, ...rest } = state;
  if (waiting !== undefined || (running ?? ended) === undefined) {
    const before = ended ?? last;
    return { ...rest, ...(before !== undefined && { last: before, isRemoved: true }) };
  }
  const end: EndedContainer = { exitCode: killed, ...removed, startedAt: 0, finishedAt: 0, id: "" };
  const before = since("1.36") ? end : last;
  return {
    ...rest,
    restarts: rest.restarts + 1,
    isRemoved: true,
    waiting: removed,
    ...(before !== undefined && { last: before }),
  };
}

/** The condition of a pod whose containers may all restart. Upstream: `GenerateAllContainersRestartingCondition` (pkg/kubelet/status/generate.go). */
export function restartingCondition(
  pod: KubeObject,
  phase: string,
  restartingSince: number | undefined,
): readonly Condition[] {
  const type = "AllContainersRestarting";
  const rules = [...listAt(pod, "spec", "initContainers"), ...listAt(pod, "spec", "containers")].flatMap(
    (container) => listAt(container, "restartPolicyRules"),
  );
  if (rules.every(({ action }) => action !== "RestartAllContainers")) return [];
  if (phase === "Succeeded") return [{ type, status: "False", reason: "PodCompleted" }];
  if (phase === "Failed") return [{ type, status: "False", reason: "PodFailed" }];
  if (restartingSince === undefined) return [{ type, status: "False" }];
  const message = "container exited with restart policy rule";
  return [{ type, status: "True", reason: "RestartAllContainersStarted", message }];
}
