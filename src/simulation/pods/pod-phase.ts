import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { ContainerRole } from "../contract/scripted-life.ts";
import type { ContainerView } from "./container-view.ts";
import { type EndedContainer, isNew, type PodRuntime } from "./pod-runtime.ts";
import { mayRestart } from "./restart-policy.ts";

export type PodPhase = "Pending" | "Running" | "Succeeded" | "Failed";

/** The phase of a pod by its containers. Upstream: pkg/kubelet/kubelet_pods.go, getPhase. */
export function podPhase(pod: KubeObject, views: readonly ContainerView[], runtime: PodRuntime): PodPhase {
  // A pod gets a final phase when all of its containers have ended (mergePodStatus, pkg/kubelet/status/status_manager.go).
  if (runtime.failure !== undefined && !views.some(isRunning)) return "Failed";
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

function isRunning({ state }: ContainerView): boolean {
  return state.running !== undefined;
}

/** How a container that does not run has ended. */
function lastEnd({ state: { running, ended, last } }: ContainerView): EndedContainer | undefined {
  return running === undefined ? (ended ?? last) : undefined;
}
