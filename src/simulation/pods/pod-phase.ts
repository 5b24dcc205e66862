import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { ContainerRole } from "../contract/scripted-life.ts";
import type { ContainerView } from "./container-view.ts";
import { type EndedContainer, isNew, type PodRuntime } from "./pod-runtime.ts";
import { mayRestart } from "./restart-policy.ts";

export type PodPhase = "Pending" | "Running" | "Succeeded" | "Failed";

/**
 * The phase of a pod by its containers, and by its deadline; the failure of a pod that is evicted counts when they have ended. Upstream:
 * pkg/kubelet/kubelet_pods.go, getPhase and generateAPIPodStatus.
 */
export function podPhase(pod: KubeObject, views: readonly ContainerView[], runtime: PodRuntime): PodPhase {
  const { failure } = runtime;
  if (failure !== undefined && (failure.disruption === undefined || !views.some(isRunning))) return "Failed";
  const of = (role: ContainerRole) => views.filter(({ container }) => container.role === role);
  const [init, sidecars, regular] = [of("init"), of("sidecar"), of("regular")];
  const goesOn = (view: ContainerView) => {
    const end = lastEnd(view);
    return end !== undefined && (view.state.isRemoved === true || mayRestart(pod, view.container, end));
  };
  const hasFailed = (view: ContainerView) => (lastEnd(view)?.exitCode ?? 0) !== 0;
  if (init.some((view) => hasFailed(view) && !goesOn(view))) return "Failed";
  const isInitializing =
    init.some((view) => isRunning(view) || lastEnd(view) === undefined) ||
    (sidecars.some((view) => (isRunning(view) ? !view.isStarted : isNew(view.state))) &&
      regular.every(({ state }) => isNew(state)));
  if (isInitializing || [...sidecars, ...regular].some((view) => !isRunning(view) && isNew(view.state)))
    return "Pending";
  if ([...sidecars, ...regular].some(isRunning)) return "Running";
  const isTerminal = runtime.terminatingSince !== undefined;
  if (!isTerminal && regular.some(goesOn)) return "Running";
  const isSuccess = regular.every(({ state }) => state.waiting === undefined && state.ended?.exitCode === 0);
  return isSuccess ? "Succeeded" : "Failed";
}

/** The phase that the status shows. A final one waits until all containers have ended. Upstream: `mergePodStatus` (pkg/kubelet/status/status_manager.go). */
export function shownPhase(phase: PodPhase, views: readonly ContainerView[], before: string): PodPhase {
  if (!isFinal(phase) || !views.some(isRunning)) return phase;
  return before === "Running" ? "Running" : "Pending";
}

export function isFinal(phase: PodPhase): boolean {
  return phase === "Succeeded" || phase === "Failed";
}

function isRunning({ state }: ContainerView): boolean {
  return state.running !== undefined;
}

/** How a container that does not run has ended. */
function lastEnd({ state: { running, ended, last } }: ContainerView): EndedContainer | undefined {
  return running === undefined ? (ended ?? last) : undefined;
}
