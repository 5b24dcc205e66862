import { textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { isTerminating } from "../contract/object-key.ts";
import { conditionOf } from "../pods/pod-state.ts";
import type { PodMetric, PodMetrics } from "./pod-metric.ts";

/** `--horizontal-pod-autoscaler-cpu-initialization-period`, in milliseconds. */
const cpuInitializationPeriod = 5 * 60_000;

/** `--horizontal-pod-autoscaler-initial-readiness-delay`, in milliseconds. */
const initialReadinessDelay = 30_000;

/** The pods of a target by what their metrics count for. */
export interface PodGroups {
  /** How many pods count with their metrics. */
  readonly ready: number;
  /** Pods that count for nothing, or as idle when the target grows. */
  readonly unready: readonly string[];
  /** Pods without metrics, which count so that they never change the direction. */
  readonly missing: readonly string[];
  /** Pods that count for nothing. */
  readonly ignored: readonly string[];
}

/**
 * Groups pods. `resource` is empty for what is not a resource: only CPU is not counted while a pod starts. Upstream: `groupPods`
 * (pkg/controller/podautoscaler/replica_calculator.go).
 */
export function groupPods(
  pods: readonly KubeObject[],
  metrics: PodMetrics,
  resource: string,
  now: number,
): PodGroups {
  const groups = { unready: [] as string[], missing: [] as string[], ignored: [] as string[] };
  let ready = 0;
  for (const pod of pods) {
    const group = groupOf(pod, metrics, resource, now);
    if (group === "ready") ready++;
    else groups[group].push(pod.metadata.name ?? "");
  }
  return { ready, ...groups };
}

function groupOf(pod: KubeObject, metrics: PodMetrics, resource: string, now: number): keyof PodGroups {
  const phase = textAt(pod, "status", "phase");
  if (isTerminating(pod) || phase === "Failed") return "ignored";
  if (phase === "Pending") return "unready";
  const metric = metrics.get(pod.metadata.name ?? "");
  if (metric === undefined) return "missing";
  return resource === "cpu" && isStarting(pod, metric, now) ? "unready" : "ready";
}

/** Whether the CPU that a pod uses is that of its start. */
function isStarting(pod: KubeObject, { timestamp, window }: PodMetric, now: number): boolean {
  const condition = conditionOf(pod, "Ready");
  const startTime = Date.parse(textAt(pod, "status", "startTime"));
  if (condition === undefined || Number.isNaN(startTime)) return true;
  const isUnready = condition["status"] === "False";
  const changed = transitionOf(condition);
  if (startTime + cpuInitializationPeriod > now) return isUnready || timestamp < changed + window;
  return isUnready && startTime + initialReadinessDelay > changed;
}

function transitionOf(condition: JsonObject): number {
  const time = Date.parse(textAt(condition, "lastTransitionTime"));
  // A missing time is the beginning of Go's calendar, which is before every other one.
  return Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time;
}
