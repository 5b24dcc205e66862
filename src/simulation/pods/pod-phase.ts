import { textAt } from "../../apimachinery/fields.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { ContainerView } from "./container-view.ts";
import type { PodRuntime } from "./pod-runtime.ts";

export type PodPhase = "Pending" | "Running" | "Succeeded" | "Failed";

/** The phase of a pod by its containers. Upstream: pkg/kubelet/kubelet_pods.go, getPhase. */
export function podPhase(pod: KubeObject, views: readonly ContainerView[], runtime: PodRuntime): PodPhase {
  if (runtime.failure !== undefined) return "Failed";
  const policy = textAt(pod, "spec", "restartPolicy");
  const init = views.filter(({ container }) => container.role === "init");
  const regular = views.filter(({ container }) => container.role === "regular");
  const isTerminal = runtime.terminatingSince !== undefined;
  const failedInit = init.some(({ state: { ended } }) => ended !== undefined && ended.exitCode !== 0);
  if (failedInit && policy === "Never") return "Failed";
  if (regular.some(({ state }) => state.running !== undefined)) return "Running";
  const isBegun = ({ state: { ended, last } }: ContainerView) => ended !== undefined || last !== undefined;
  if (!regular.every(isBegun)) return "Pending";
  if (regular.some(({ state }) => state.ended === undefined)) return "Running";
  const isSuccess = regular.every(({ state }) => state.ended?.exitCode === 0);
  if (policy === "Always" && !isTerminal) return "Running";
  if (isSuccess) return "Succeeded";
  return policy === "OnFailure" && !isTerminal ? "Running" : "Failed";
}
