import { isNotFound } from "../../../apimachinery/errors/error-predicates.ts";
import { numberAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { isTerminating } from "../contract/object-key.ts";
import type { WorkloadEnvironment } from "../environment/workload-environment.ts";
import { inDeletionOrder } from "../pods/deletion-order.ts";
import { isNamespaceTerminating, PodControl } from "../pods/pod-control.ts";
import { isFinished, readySince } from "../pods/pod-state.ts";
import { slowStart } from "../pods/slow-start.ts";
import { firstPending } from "./index-set.ts";
import { remainingBackoff } from "./job-backoff.ts";
import { isSuspended, type JobObservation } from "./job-observation.ts";
import {
  allIndexFailures,
  indexedPod,
  indexOf,
  isPodFailed,
  jobPod,
  type Replaced,
  replacesOnlyFailed,
} from "./job-pods.ts";
import { isTracked, trackingFinalizer } from "./job-tracking.ts";
import { finishedTime } from "./pod-end.ts";
import { judgeFailure } from "./pod-failure-rules.ts";

const mostPerSync = 500;

/** What was done to the pods of a Job. */
export interface JobAction {
  readonly active: number;
  /** How many ready pods were deleted. */
  readonly deletedReady: number;
  readonly deleted: number;
  readonly failure: unknown;
  /** When to look again, because of a back-off. */
  readonly delay?: number;
}

/** Creates and deletes the pods of Jobs. */
export class JobPodManager {
  readonly #environment: WorkloadEnvironment;
  readonly #control: PodControl;

  constructor(environment: WorkloadEnvironment) {
    this.#environment = environment;
    this.#control = new PodControl(environment.client, environment.recorderOf("job-controller"));
  }

  /** Creates the pods that are missing, or deletes those that are too many. Upstream: `manageJob`. */
  async manage(observation: JobObservation, backoff: number): Promise<JobAction> {
    const { job, active, succeeded, completions } = observation;
    if (isSuspended(job))
      return this.delete(observation, this.#surplus(observation, active.length), "untracked");
    const parallelism = numberAt(job, "spec", "parallelism");
    const steady = succeeded > 0 ? active.length : parallelism;
    const wanted =
      completions === undefined ? steady : Math.max(0, Math.min(parallelism, completions - succeeded));
    const surplus = this.#surplus(observation, Math.max(0, active.length - wanted));
    if (surplus.length > 0) return this.delete(observation, surplus, "untracked");
    const terminating = replacesOnlyFailed(job) ? observation.terminating : 0;
    const missing = Math.min(mostPerSync, wanted - terminating - active.length);
    if (missing <= 0) return { active: active.length, deletedReady: 0, deleted: 0, failure: undefined };
    if (backoff > 0) return waiting(active.length, backoff);
    return observation.isIndexed
      ? this.#createIndexed(observation, missing)
      : this.#create(observation, missing);
  }

  /** Deletes pods. Those of a running Job are `untracked` first: their failures do not count. */
  async delete(
    { job, active }: JobObservation,
    pods: readonly KubeObject[],
    tracking: "tracked" | "untracked",
  ): Promise<JobAction> {
    let failure: unknown;
    let deleted = 0;
    for (const pod of pods) {
      try {
        if (tracking === "untracked") await this.untrack(pod);
        await this.#control.delete(job, pod);
        deleted++;
      } catch (error) {
        failure ??= error;
      }
    }
    const deletedReady = pods.filter((pod) => readySince(pod) !== undefined).length;
    return { active: active.length - deleted, deletedReady, deleted, failure };
  }

  /** Removes the finalizer that keeps a pod until it is counted. */
  async untrack({ metadata }: KubeObject): Promise<void> {
    const { name = "", namespace = "", finalizers = [], uid = "" } = metadata;
    if (!finalizers.includes(trackingFinalizer)) return;
    const left = finalizers.filter((one) => one !== trackingFinalizer);
    const patch = { metadata: { uid, finalizers: left.length > 0 ? left : null } };
    await this.#environment.client.patch("v1", "Pod", name, patch, { namespace }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }

  /** The active pods to delete: those of indexes that are taken twice or too high, and then as many as are too many. */
  #surplus({ active, isIndexed, completions = 0 }: JobObservation, least: number): readonly KubeObject[] {
    const order = { now: this.#environment.clock.now(), hasCosts: false, isLogarithmic: false };
    const sorted = inDeletionOrder(active, [], order);
    const seen = new Set<number>();
    const isNeeded = (pod: KubeObject) => {
      const index = indexOf(pod) ?? -1;
      const isNew = index >= 0 && index < completions && !seen.has(index);
      seen.add(index);
      return isNew;
    };
    // Of the pods of one index, the last one to delete stays.
    const needed = isIndexed ? new Set(sorted.toReversed().filter(isNeeded)) : new Set(sorted);
    const rest = sorted.filter((pod) => needed.has(pod));
    const doubled = sorted.filter((pod) => !needed.has(pod));
    return [...doubled, ...rest.slice(0, Math.max(0, least - doubled.length))].slice(0, mostPerSync);
  }

  async #create({ job, active }: JobObservation, count: number): Promise<JobAction> {
    const manifest = jobPod(job, this.#environment.gates);
    return this.#createEach(active.length, count, async () => this.#control.create(job, manifest));
  }

  async #createIndexed(observation: JobObservation, count: number): Promise<JobAction> {
    const { job, pods, active, completions = 0, succeededIndexes, failedIndexes } = observation;
    const indexesOf = (some: readonly KubeObject[]) => new Set(some.map((pod) => indexOf(pod) ?? -1));
    const ending = replacesOnlyFailed(job)
      ? pods.filter((pod) => isTerminating(pod) && !isFinished(pod))
      : [];
    const taken = [succeededIndexes, indexesOf(active), indexesOf(ending), failedIndexes ?? new Set()];
    const pending = firstPending(count, completions, taken);
    const replaced = replacedPods(observation);
    const delays = pending.map((index) => [index, this.#delayOf(replaced.get(index))] as const);
    const ready = delays.filter(([, delay]) => delay === 0).map(([index]) => index);
    // Indexes that need not wait go first (`getPodCreationInfoForIndependentIndexes`).
    if (ready.length === 0 && delays.length > 0)
      return waiting(active.length, Math.min(...delays.map(([, delay]) => delay)));
    return this.#createEach(active.length, ready.length, async (i) => {
      const index = ready[i] ?? 0;
      return this.#control.create(job, indexedPod(job, index, replaced.get(index), this.#environment.gates));
    });
  }

  #delayOf(replaced: Replaced | undefined): number {
    if (replaced === undefined) return 0;
    const failures = allIndexFailures(replaced.pod) + 1;
    return remainingBackoff({ failures, last: finishedTime(replaced.pod) }, this.#environment.clock.now());
  }

  async #createEach(
    active: number,
    count: number,
    create: (i: number) => Promise<KubeObject>,
  ): Promise<JobAction> {
    let created = 0;
    const failure = await slowStart(count, async (i) => {
      try {
        await create(i);
      } catch (error) {
        if (!isNamespaceTerminating(error)) throw error;
      }
      created++;
    });
    return { active: active + created, deletedReady: 0, deleted: 0, failure };
  }
}

/** Nothing is done until a back-off is over. Before 1.36, upstream then reports no active pods, which the server refuses if some are ready. */
function waiting(active: number, delay: number): JobAction {
  return { active, deletedReady: 0, deleted: 0, failure: undefined, delay };
}

/** The last failed pod of each index that has no other pod; it stays until its successor knows its failures. */
export function replacedPods({
  job,
  pods,
  active,
  completions = 0,
  succeededIndexes,
  failedIndexes,
}: JobObservation): ReadonlyMap<number, Replaced> {
  const found = new Map<number, Replaced>();
  if (failedIndexes === undefined) return found;
  const running = new Set(active.map(indexOf));
  for (const pod of pods) {
    const index = indexOf(pod);
    if (index === undefined || index >= completions || !isTracked(pod) || !isPodFailed(pod, job)) continue;
    if (running.has(index) || failedIndexes.has(index) || succeededIndexes.has(index)) continue;
    const known = found.get(index);
    if (known !== undefined && isAfter(known.pod, pod)) continue;
    found.set(index, { pod, counts: judgeFailure(job, pod).counts });
  }
  return found;
}

/** Whether a pod of an index failed after another one. Upstream: `getPodsWithDelayedDeletionPerIndex` (pkg/controller/job/indexed_job_utils.go). */
function isAfter(pod: KubeObject, other: KubeObject): boolean {
  const more = allIndexFailures(pod) - allIndexFailures(other);
  return more > 0 || finishedTime(pod) > finishedTime(other);
}
