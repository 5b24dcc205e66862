import { numberAt, objectAt } from "../../apimachinery/fields.ts";
import type { ContainerLife } from "../contract/scripted-life.ts";
import type { ContainerRuntime, PodContainer } from "./pod-runtime.ts";

const second = 1000;

/** A container has at least that long when it is asked to stop (minimumGracePeriodInSeconds). */
const leastGrace = 2 * second;

/** A container that is asked to stop. */
export interface StoppingContainer {
  readonly container: PodContainer;
  readonly state: ContainerRuntime;
  readonly life: ContainerLife;
}

/** How a container ends that was asked to stop. Times are milliseconds since the epoch. */
export interface ContainerStop {
  readonly container: PodContainer;
  readonly at: number;
  /** The grace period was over first. */
  readonly isKilled: boolean;
}

/**
 * When the containers of a pod end that are all asked to stop at one time. Hooks begin at once; sidecars are asked to stop when all containers after
 * them have ended, or when the grace period is over. Upstream: `killContainer` and `terminationOrdering` (pkg/kubelet/kuberuntime).
 *
 * | | a: takes 5 s | s2: takes 1 s | s1: takes 1 s |
 * | --- | --- | --- | --- |
 * | grace period of 30 s | 5 s | 6 s | 7 s |
 * | of 4 s | killed after 4 s | 5 s | 5 s |
 */
export function stopsOf(
  containers: readonly StoppingContainer[],
  since: number,
  grace: number,
): readonly ContainerStop[] {
  const deadline = since + grace;
  const stops: ContainerStop[] = [];
  let turn = since;
  for (const { container, state, life } of containers.toReversed()) {
    if (state.running === undefined) {
      turn = Math.max(turn, state.ended?.finishedAt ?? since);
      continue;
    }
    const hooked = since + hookTime(container);
    const signal = Math.min(container.role === "sidecar" ? Math.max(hooked, turn) : hooked, deadline);
    const limit = Math.max(deadline, signal + leastGrace);
    const end = signal + (life.terminationTakes ?? 0);
    const at = Math.min(end, limit);
    stops.push({ container, at, isKilled: end > limit });
    turn = Math.max(turn, at);
  }
  return stops;
}

function hookTime({ spec }: PodContainer): number {
  const sleep = objectAt(spec, "lifecycle", "preStop", "sleep");
  return sleep === undefined ? 0 : numberAt(sleep, "seconds") * second;
}
