import { listAt, numberAt, structAt, textAt, textsAt, valueAt } from "../../../apimachinery/fields.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { labelSelectorFromObject } from "../../../apimachinery/selectors/label-selector-object.ts";
import { formatTime } from "../../../apimachinery/time.ts";
import type { EventRecorder } from "../../events/event-recorder.ts";
import { isTerminating, keyOf } from "../contract/object-key.ts";
import { jobs } from "../contract/workload-resources.ts";
import { updateStatus } from "../environment/update-status.ts";
import type { WorkloadEnvironment } from "../environment/workload-environment.ts";
import { claimObjects } from "../ownership/claim-objects.ts";
import { readySince } from "../pods/pod-state.ts";
import { formatIndexes } from "./index-set.ts";
import { JobBackoff, remainingBackoff } from "./job-backoff.ts";
import { isJobFinished, type JobCondition, writtenCondition } from "./job-conditions.ts";
import {
  completion,
  endOf,
  isSuspended,
  type JobObservation,
  observeExistingPods,
  observeJob,
  untilDeadline,
} from "./job-observation.ts";
import { type JobAction, JobPodManager, replacedPods } from "./job-pod-manager.ts";
import { hasLimitPerIndex, indexOf, isPodFailed } from "./job-pods.ts";
import { isTracked, trackingFinalizer, tracksPods } from "./job-tracking.ts";
import { judgeFailure } from "./pod-failure-rules.ts";

const mostUncounted = 500;

/** The pods to count, and the uids that the status keeps until they are counted. */
interface Counting {
  readonly pods: readonly KubeObject[];
  readonly succeeded: readonly string[];
  readonly failed: readonly string[];
}

const noCounting: Counting = { pods: [], succeeded: [], failed: [] };

/** Looks at Jobs. Upstream: `syncJob` and `trackJobStatusAndRemoveFinalizers` (pkg/controller/job/job_controller.go). */
export class JobSync {
  readonly #environment: WorkloadEnvironment;
  readonly #backoff: JobBackoff;
  readonly #manager: JobPodManager;
  readonly #recorder: EventRecorder;

  constructor(environment: WorkloadEnvironment) {
    this.#environment = environment;
    this.#backoff = environment.memory.part("workloads/jobs/backoff", () => new JobBackoff());
    this.#manager = new JobPodManager(environment);
    this.#recorder = environment.recorderOf("job-controller");
  }

  forget(key: string): void {
    this.#backoff.delete(key);
  }

  untrack(pod: KubeObject): Promise<void> {
    return this.#manager.untrack(pod);
  }

  async reconcile(found: KubeObject): Promise<number | undefined> {
    const key = keyOf(found);
    if (isJobFinished(found)) {
      this.forget(key);
      return undefined;
    }
    const { clock, gates } = this.#environment;
    const job = this.#started(found);
    const observe = tracksPods(job, gates) ? observeJob : observeExistingPods;
    const observation = observe(job, await this.#claim(job));
    const record = this.#backoff.next(key, observation.newSucceeded, observation.newFailed);
    const end = endOf(observation, gates, clock.now());
    const wait = hasLimitPerIndex(job) ? 0 : remainingBackoff(record, clock.now());
    const action = await this.#act(observation, end, wait);
    const reached = end === undefined ? this.#completed(observation, action) : end;
    const finished = end !== undefined && action.failure !== undefined ? undefined : reached;
    const status = this.#counts(observation, action, finished);
    if (tracksPods(job, gates)) await this.#track(found, observation, status, finished);
    else await this.#report(found, observation, status, finished);
    this.#backoff.set(key, record);
    if (action.failure !== undefined) throw action.failure;
    return earliest(action.delay, finished === undefined ? untilDeadline(job, clock.now()) : undefined);
  }

  /** A Job starts with its first look, unless it is suspended. */
  #started(job: KubeObject): KubeObject {
    const status = structAt(job, "status");
    if (status["startTime"] !== undefined || isSuspended(job)) return job;
    return { ...job, status: { ...status, startTime: formatTime(this.#environment.clock.now()) } };
  }

  #claim(owner: KubeObject): Promise<readonly KubeObject[]> {
    const { lister, client, pods } = this.#environment;
    const { uid = "", namespace = "" } = owner.metadata;
    const selector = labelSelectorFromObject(valueAt(owner, "spec", "selector"));
    const matches = ({ metadata }: KubeObject) => selector.matches(metadata.labels ?? {});
    const claimant = { owner, resource: jobs, lister, client, matches, finalizer: trackingFinalizer };
    return claimObjects(claimant, [...pods.ownedBy(uid), ...pods.orphansIn(namespace)]);
  }

  #act(
    observation: JobObservation,
    end: JobCondition | undefined,
    wait: number,
  ): Promise<JobAction> | JobAction {
    if (end !== undefined) return this.#manager.delete(observation, observation.active, "tracked");
    if (!isTerminating(observation.job)) return this.#manager.manage(observation, wait);
    return { active: observation.active.length, deletedReady: 0, deleted: 0, failure: undefined };
  }

  #completed({ succeeded, completions }: JobObservation, { active }: JobAction): JobCondition | undefined {
    const isReached = completions === undefined ? succeeded > 0 : succeeded >= completions;
    return isReached && active === 0 ? completion(this.#environment.gates) : undefined;
  }

  /** The status with the counts of pods that run. */
  #counts(
    { job, active, terminating }: JobObservation,
    action: JobAction,
    finished: JobCondition | undefined,
  ): JsonObject {
    const { gates } = this.#environment;
    const { active: _, ...status } = structAt(job, "status");
    const ready = active.filter((pod) => readySince(pod) !== undefined).length - action.deletedReady;
    const counted = {
      ...status,
      ...(action.active > 0 && { active: action.active }),
      ...(gates.since("1.24") && { ready }),
      ...(gates.isEnabled("JobPodReplacementPolicy") && { terminating: terminating + action.deleted }),
    };
    return finished === undefined && !isTerminating(job) ? this.#withSuspension(job, counted) : counted;
  }

  #withSuspension(job: KubeObject, status: JsonObject): JsonObject {
    const now = this.#environment.clock.now();
    const conditions = listAt(status, "conditions");
    const known = conditions.find(({ type }) => type === "Suspended");
    const suspended = isSuspended(job);
    const timed = suspended ? this.#withoutStart(status) : status;
    const wanted = suspended ? "True" : "False";
    if (known?.["status"] === wanted || (known === undefined && !suspended)) return timed;
    const condition = suspended
      ? ({ type: "Suspended", status: "True", reason: "JobSuspended", message: "Job suspended" } as const)
      : ({ type: "Suspended", status: "False", reason: "JobResumed", message: "Job resumed" } as const);
    const next = writtenCondition(condition, now);
    const at = conditions.findIndex(({ type }) => type === "Suspended");
    const written = { ...timed, conditions: at < 0 ? [...conditions, next] : conditions.with(at, next) };
    return suspended ? written : { ...written, startTime: formatTime(now) };
  }

  /** A suspended Job has not started, in releases that let clients change the scheduling directives of its pods. */
  #withoutStart(status: JsonObject): JsonObject {
    const { startTime: _, ...others } = status;
    return this.#environment.gates.isEnabled("MutableSchedulingDirectivesForSuspendedJobs") ? others : status;
  }

  /** Writes the status, lets the counted pods go, and writes again what that changes. */
  async #track(
    found: KubeObject,
    observation: JobObservation,
    counts: JsonObject,
    finished: JobCondition | undefined,
  ): Promise<void> {
    const counting = this.#toCount(observation, finished);
    const uncounted = uncountedField(counting);
    const indexed = { ...counts, ...indexFields(observation) };
    const interim = this.#withInterim(indexed, finished);
    const first = { ...interim, ...uncounted };
    const isSuspensionNew = !jsonEqual(
      counts["conditions"] ?? [],
      valueAt(found, "status", "conditions") ?? [],
    );
    const written = await this.#write(found, first);
    if (isSuspensionNew) await this.#recordSuspension(written);
    for (const pod of counting.pods) await this.#manager.untrack(pod);
    const second = withCounted(structAt(written, "status"), counting, observation.isIndexed);
    const final = this.#withEnd(second, finished, counting);
    const last = await this.#write(written, final);
    if (last !== written && final !== second) await this.#recordEnd(last, finished);
  }

  /** Writes the status of a Job whose pods have no finalizers. Pods that are deleted because the Job fails have failed. */
  async #report(
    found: KubeObject,
    { active, failed, succeeded, succeededIndexes }: JobObservation,
    counts: JsonObject,
    finished: JobCondition | undefined,
  ): Promise<void> {
    const { failed: _, succeeded: __, completedIndexes: ___, ...others } = counts;
    const failures = failed + (finished?.type === "Failed" ? active.length : 0);
    const status = {
      ...others,
      ...(succeeded > 0 && { succeeded }),
      ...(failures > 0 && { failed: failures }),
      ...(succeededIndexes.size > 0 && { completedIndexes: formatIndexes(succeededIndexes) }),
    };
    const isSuspensionNew = !jsonEqual(
      counts["conditions"] ?? [],
      valueAt(found, "status", "conditions") ?? [],
    );
    const written = await this.#write(found, this.#withEnd(status, finished, noCounting));
    if (isSuspensionNew) await this.#recordSuspension(written);
    await this.#recordEnd(written, finished);
  }

  #toCount(observation: JobObservation, finished: JobCondition | undefined): Counting {
    const { job, pods, isIndexed } = observation;
    const uncounted = structAt(job, "status", "uncountedTerminatedPods");
    const delayed = new Set([...replacedPods(observation).values()].map(({ pod }) => pod.metadata.uid));
    const [succeeded, failed] = [textsAt(uncounted, "succeeded"), textsAt(uncounted, "failed")].map(
      (uids) => new Set(uids),
    );
    const counted: KubeObject[] = [];
    for (const pod of pods.filter(isTracked)) {
      const { uid = "" } = pod.metadata;
      const isFailed = isPodFailed(pod, job);
      const isSuccess = textAt(pod, "status", "phase") === "Succeeded";
      const isEnd = isTerminating(job) || finished !== undefined || isSuccess;
      if (!isEnd && (!isFailed || delayed.has(uid))) continue;
      counted.push(pod);
      const failsWithJob = finished !== undefined && finished.type !== "SuccessCriteriaMet";
      if (isSuccess && !failed?.has(uid)) {
        if (!isIndexed) succeeded?.add(uid);
      } else if (
        (isFailed || failsWithJob) &&
        judgeFailure(job, pod).counts &&
        isCountable(observation, pod)
      ) {
        failed?.add(uid);
      }
      if (counted.length >= mostUncounted) break;
    }
    return { pods: counted, succeeded: [...(succeeded ?? [])], failed: [...(failed ?? [])] };
  }

  /** Since 1.31, a condition announces the end. */
  #withInterim(status: JsonObject, finished: JobCondition | undefined): JsonObject {
    const isInterim = finished?.type === "FailureTarget" || finished?.type === "SuccessCriteriaMet";
    const conditions = listAt(status, "conditions");
    if (!isInterim || conditions.some(({ type }) => type === finished.type)) return status;
    return {
      ...status,
      conditions: [...conditions, writtenCondition(finished, this.#environment.clock.now())],
    };
  }

  /** A Job ends once all pods are counted, and, since 1.31, none of them terminates. */
  #withEnd(status: JsonObject, finished: JobCondition | undefined, { pods }: Counting): JsonObject {
    const { gates, clock } = this.#environment;
    const isWaiting = gates.since("1.31") && numberAt(status, "terminating") > 0;
    if (finished === undefined || isWaiting || pods.length >= mostUncounted) return status;
    const now = clock.now();
    const end = endCondition(finished);
    const conditions = [...listAt(status, "conditions"), writtenCondition(end, now)];
    return { ...status, conditions, ...(end.type === "Complete" && { completionTime: formatTime(now) }) };
  }

  async #write(job: KubeObject, status: JsonObject): Promise<KubeObject> {
    if (jsonEqual(status, structAt(job, "status"))) return job;
    return updateStatus(this.#environment, jobs, job, status);
  }

  async #recordSuspension(job: KubeObject): Promise<void> {
    const suspended = isSuspended(job);
    await this.#recorder.record(job, {
      type: "Normal",
      reason: suspended ? "Suspended" : "Resumed",
      message: suspended ? "Job suspended" : "Job resumed",
    });
  }

  async #recordEnd(job: KubeObject, finished: JobCondition | undefined): Promise<void> {
    if (finished === undefined) return;
    const { type, reason, message } = endCondition(finished);
    if (type === "Failed") return this.#recorder.record(job, { type: "Warning", reason, message });
    const { completions } = structAt(job, "spec");
    if (typeof completions === "number" && numberAt(job, "status", "succeeded") > completions) {
      const tooMany = "Too many succeeded pods running after completion count reached";
      await this.#recorder.record(job, { type: "Warning", reason: "TooManySucceededPods", message: tooMany });
    }
    await this.#recorder.record(job, { type: "Normal", reason: "Completed", message: "Job completed" });
  }
}

function isCountable({ isIndexed, completions = 0 }: JobObservation, pod: KubeObject): boolean {
  return !isIndexed || (indexOf(pod) ?? completions) < completions;
}

function uncountedField({ succeeded, failed }: Counting): JsonObject {
  return {
    uncountedTerminatedPods: {
      ...(succeeded.length > 0 && { succeeded }),
      ...(failed.length > 0 && { failed }),
    },
  };
}

function indexFields({ isIndexed, succeededIndexes, failedIndexes }: JobObservation): JsonObject {
  if (!isIndexed) return {};
  const completedIndexes = formatIndexes(succeededIndexes);
  return {
    ...(succeededIndexes.size > 0 && { succeeded: succeededIndexes.size, completedIndexes }),
    ...(failedIndexes !== undefined && { failedIndexes: formatIndexes(failedIndexes) }),
  };
}

/** The status with the pods counted that no longer have the finalizer. */
function withCounted(status: JsonObject, { succeeded, failed }: Counting, isIndexed: boolean): JsonObject {
  const successes = numberAt(status, "succeeded") + (isIndexed ? 0 : succeeded.length);
  const failures = numberAt(status, "failed") + failed.length;
  return {
    ...status,
    ...(successes > 0 && { succeeded: successes }),
    ...(failures > 0 && { failed: failures }),
    uncountedTerminatedPods: {},
  };
}

/** The condition with which a Job ends. */
function endCondition(finished: JobCondition): JobCondition {
  if (finished.type === "SuccessCriteriaMet") return { ...finished, type: "Complete" };
  return finished.type === "FailureTarget" ? { ...finished, type: "Failed" } : finished;
}

function earliest(...delays: readonly (number | undefined)[]): number | undefined {
  const set = delays.filter((delay) => delay !== undefined);
  return set.length > 0 ? Math.min(...set) : undefined;
}
