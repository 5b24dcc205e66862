import { textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { readySince } from "../pods/pod-state.ts";
import { groupPods, type PodGroups } from "./pod-groups.ts";
import { type PodMetric, type PodMetrics, sumOfMetrics } from "./pod-metric.ts";
import { requestsOfPods } from "./pod-requests.ts";
import type { Tolerance } from "./tolerances.ts";

const mostReplicas = 2 ** 31 - 1;
const mostUsage = 2n ** 63n - 1n;

/** What Go makes of a division by zero: the int64 of an infinite number. */
const usageOfNothing = -(2n ** 63n);

/** The replicas that a metric asks for, with what the status says about it. */
export interface Replicas {
  readonly replicas: number;
  /** The average usage of a pod, or the value of an object, in thousandths. */
  readonly usage: bigint;
  /** The average usage as a percentage of the requests. */
  readonly utilization?: number;
}

/** What the calculation of replicas depends on. */
export interface Calculation {
  readonly current: number;
  readonly tolerance: Tolerance;
  /** The pods that the selector of the target selects. */
  readonly pods: readonly KubeObject[];
  readonly gates: FeatureGates;
  /** In milliseconds since the epoch. */
  readonly now: number;
}

/** The resource whose usage counts. */
export interface MeasuredResource {
  readonly name: string;
  /** Empty for the whole pod. */
  readonly container: string;
}

/** How the usage of pods compares with the target. */
interface Usage {
  readonly ratio: number;
  readonly usage: bigint;
  readonly utilization?: number;
}

/** How usage becomes a ratio. */
interface Measure {
  readonly usageOf: (metrics: PodMetrics) => Usage;
  /** What pods without metrics count for when the target shrinks, in thousandths. */
  readonly ofMissing: (pod: string) => bigint;
}

/**
 * The replicas for a utilization of a resource, in percent of the requests. Upstream: `GetResourceReplicas`
 * (pkg/controller/podautoscaler/replica_calculator.go).
 * @throws {Error} without pods, metrics or requests
 */
export function replicasForUtilization(
  calculation: Calculation,
  metrics: PodMetrics,
  resource: MeasuredResource,
  target: number,
): Replicas {
  const { groups, counted } = countedMetrics(calculation, metrics, resource.name);
  const { pods, gates } = calculation;
  const requests = requestsOfPods(pods, resource.container, resource.name, gates);
  const fallback = BigInt(gates.since("1.27") ? Math.max(100, target) : 100);
  return replicasOf(calculation, groups, counted, {
    usageOf: (metrics) => utilizationOf(metrics, requests, target),
    ofMissing: (pod) => ((requests.get(pod) ?? 0n) * fallback) / 100n,
  });
}

/**
 * The replicas for an average value of pods, in thousandths. `resource` is empty for what is not a resource. Upstream:
 * `calcPlainMetricReplicas`.
 * @throws {Error} without pods or metrics
 */
export function replicasForAverage(
  calculation: Calculation,
  metrics: PodMetrics,
  resource: string,
  target: bigint,
): Replicas {
  const { groups, counted } = countedMetrics(calculation, metrics, resource);
  const usageOf = (metrics: PodMetrics) => {
    const usage = sumOfMetrics(metrics) / BigInt(metrics.size);
    return { usage, ratio: Number(usage) / Number(target) };
  };
  return replicasOf(calculation, groups, counted, { usageOf, ofMissing: () => target });
}

/**
 * The replicas for the value of an object or of something outside of the cluster, in thousandths. Upstream: `GetObjectMetricReplicas`,
 * `GetExternalMetricReplicas`.
 * @throws {Error} without pods
 */
export function replicasForValue(calculation: Calculation, usage: bigint, target: bigint): Replicas {
  const { current, tolerance, pods } = calculation;
  const ratio = Number(usage) / Number(target);
  // From no pods, each target's worth of usage is a pod, whatever the tolerance.
  if (current === 0) return { replicas: wholeReplicas(ratio), usage };
  if (tolerance(ratio)) return { replicas: current, usage };
  checkPods(pods, "unable to calculate ready pods: ");
  const ready = pods.filter((pod) => isRunning(pod) && readySince(pod) !== undefined).length;
  return { replicas: wholeReplicas(ratio * ready), usage };
}

/**
 * The replicas for a value that is spread over all pods, in thousandths. `current` are those of the target's status. Upstream:
 * `GetObjectPerPodMetricReplicas`, `GetExternalPerPodMetricReplicas`.
 */
export function replicasForShare(
  { current, tolerance }: Pick<Calculation, "current" | "tolerance">,
  value: bigint,
  target: bigint,
): Replicas {
  const ratio = Number(value) / (Number(target) * current);
  const replicas = tolerance(ratio) ? current : wholeReplicas(Number(value) / Number(target));
  return { replicas, usage: current === 0 ? usageOfNothing : ceilingOf(value, BigInt(current)) };
}

/** The sum of values; beyond an int64, the largest one. */
export function sumOfValues(values: readonly bigint[]): bigint {
  const sum = values.reduce((total, value) => total + value, 0n);
  return sum > mostUsage ? mostUsage : sum;
}

/** Groups the pods, and leaves out the metrics of those that do not count. @throws {Error} without pods or metrics */
function countedMetrics(
  { pods, gates, now }: Calculation,
  metrics: PodMetrics,
  resource: string,
): { readonly groups: PodGroups; readonly counted: PodMetrics } {
  checkPods(pods, "");
  const groups = groupPods(pods, metrics, resource, now);
  const dropped = new Set([...groups.ignored, ...groups.unready]);
  const counted = new Map([...metrics].filter(([pod]) => !dropped.has(pod)));
  if (counted.size > 0) return { groups, counted };
  const which = gates.since("1.27") ? "targeted pods (pods might be unready)" : "any ready pods";
  throw new Error(`did not receive metrics for ${which}`);
}

function checkPods(pods: readonly KubeObject[], context: string): void {
  if (pods.length > 0) return;
  throw new Error(`${context}no pods returned by selector while calculating replica count`);
}

/**
 * Pods without metrics, and those that start while the target grows, count so that they make a change smaller. They never turn it around:
 *
 * | ratio of the metrics | pods without metrics use | pods that start use |
 * | --- | --- | --- |
 * | below 1 | their target | (not counted) |
 * | above 1 | nothing | nothing |
 */
function replicasOf(
  { current, tolerance }: Calculation,
  { ready, unready, missing }: PodGroups,
  metrics: PodMetrics,
  { usageOf, ofMissing }: Measure,
): Replicas {
  const { ratio, ...usage } = usageOf(metrics);
  const growsWithUnready = unready.length > 0 && ratio > 1;
  if (!growsWithUnready && missing.length === 0) {
    return { replicas: tolerance(ratio) ? current : wholeReplicas(ratio * ready), ...usage };
  }
  const all = new Map(metrics);
  if (ratio < 1) for (const pod of missing) all.set(pod, metricOf(ofMissing(pod)));
  if (ratio > 1) for (const pod of missing) all.set(pod, metricOf(0n));
  if (growsWithUnready) for (const pod of unready) all.set(pod, metricOf(0n));
  const { ratio: corrected } = usageOf(all);
  const replicas = wholeReplicas(corrected * all.size);
  const isTurned = (ratio < 1 && corrected > 1) || (ratio > 1 && corrected < 1);
  const isAgainst = (corrected < 1 && replicas > current) || (corrected > 1 && replicas < current);
  return { replicas: tolerance(corrected) || isTurned || isAgainst ? current : replicas, ...usage };
}

/** Upstream: `GetResourceUtilizationRatio` (pkg/controller/podautoscaler/metrics/utilization.go). */
function utilizationOf(metrics: PodMetrics, requests: ReadonlyMap<string, bigint>, target: number): Usage {
  const known = new Map([...metrics].filter(([pod]) => requests.has(pod)));
  let requested = 0n;
  for (const pod of known.keys()) requested += requests.get(pod) ?? 0n;
  if (requested === 0n) throw new Error("no metrics returned matched known pods");
  const used = sumOfMetrics(known);
  const utilization = Number(BigInt.asIntN(32, (used * 100n) / requested));
  return { ratio: utilization / target, usage: used / BigInt(known.size), utilization };
}

function metricOf(value: bigint): PodMetric {
  return { value, timestamp: 0, window: 0 };
}

/** The next whole number that is a number of replicas. */
function wholeReplicas(replicas: number): number {
  return Math.min(Math.ceil(replicas), mostReplicas);
}

function ceilingOf(value: bigint, divisor: bigint): bigint {
  return (value + divisor - 1n) / divisor;
}

function isRunning(pod: KubeObject): boolean {
  return textAt(pod, "status", "phase") === "Running";
}
