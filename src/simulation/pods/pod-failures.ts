import { numberAt } from "../../apimachinery/fields.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { LifeScript } from "../contract/scripted-life.ts";
import type { RecordedEvent } from "../events/recorded-event.ts";
import type { PodFailure } from "./pod-runtime.ts";

/** A failure of a pod at a time, in milliseconds since the epoch, unless it ends before. */
export interface PlannedFailure {
  readonly at: number;
  readonly failure: PodFailure;
  readonly type: RecordedEvent["type"];
}

const second = 1000;

/** How long the containers of a pod may take to end, in milliseconds. */
export function graceOf(pod: KubeObject): number {
  return numberAt(pod, "spec", "terminationGracePeriodSeconds") * second;
}

/** Why a kubelet ends a pod that it began at a time: its deadline (pkg/kubelet/active_deadline.go), or an eviction by a script. */
export function plannedFailures(
  pod: KubeObject,
  startedAt: number,
  script: LifeScript | undefined,
): readonly PlannedFailure[] {
  const planned: PlannedFailure[] = [];
  const seconds = numberAt(pod, "spec", "activeDeadlineSeconds");
  if (seconds > 0) {
    const message = "Pod was active on the node longer than the specified deadline";
    const failure = { reason: "DeadlineExceeded", message, grace: graceOf(pod) };
    planned.push({ at: startedAt + seconds * second, failure, type: "Normal" });
  }
  const eviction = script?.life.eviction;
  if (eviction !== undefined) {
    const { message } = eviction;
    const failure = { reason: "Evicted", message, disruption: message, grace: 0 };
    planned.push({ at: startedAt + eviction.after, failure, type: "Warning" });
  }
  return planned;
}
