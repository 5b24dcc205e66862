import { booleanAt, listAt, numberAt, structAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { isTerminating } from "../contract/object-key.ts";
import { isActive, isFinished } from "../pods/pod-state.ts";
import { parseIndexes } from "./index-set.ts";
import { type JobCondition, trueCondition } from "./job-conditions.ts";
import { hasLimitPerIndex, indexFailures, indexOf, isPodFailed } from "./job-pods.ts";
import { isTracked } from "./job-tracking.ts";
import { finishedTime, restartsOf } from "./pod-end.ts";
import { judgeFailure } from "./pod-failure-rules.ts";

/** What a look at a Job and its pods finds. */
export interface JobObservation {
  readonly job: KubeObject;
  readonly pods: readonly KubeObject[];
  readonly active: readonly KubeObject[];
  readonly terminating: number;
  /** The pods that ended since the last look. */
  readonly newSucceeded: readonly KubeObject[];
  readonly newFailed: readonly KubeObject[];
  readonly succeeded: number;
  readonly failed: number;
  readonly completions: number | undefined;
  readonly isIndexed: boolean;
  readonly succeededIndexes: ReadonlySet<number>;
  /** Undefined if indexes have no limit of their own. */
  readonly failedIndexes: ReadonlySet<number> | undefined;
}

/** Counts the pods of a Job that have finalizers. */
export function observeJob(job: KubeObject, pods: readonly KubeObject[]): JobObservation {
  const isIndexed = textAt(job, "spec", "completionMode") === "Indexed";
  const completions = structAt(job, "spec")["completions"];
  const limit = typeof completions === "number" ? completions : undefined;
  const uncounted = structAt(job, "status", "uncountedTerminatedPods");
  const isValid = (pod: KubeObject) => !isIndexed || (indexOf(pod) ?? Number.NaN) < (limit ?? 0);
  const unseen = (list: string) => {
    const known = new Set(textsAt(uncounted, list));
    return pods.filter((pod) => isTracked(pod) && isValid(pod) && !known.has(pod.metadata.uid ?? ""));
  };
  const newSucceeded = unseen("succeeded").filter((pod) => textAt(pod, "status", "phase") === "Succeeded");
  const newFailed = unseen("failed").filter((pod) => isPodFailed(pod, job));
  const countedFailed = newFailed.filter((pod) => judgeFailure(job, pod).counts);
  const succeededIndexes = isIndexed
    ? indexesAfter(job, "completedIndexes", newSucceeded, limit ?? 0)
    : new Set<number>();
  const failedNow = newFailed.filter((pod) => isIndexFailed(job, pod));
  const counted =
    numberAt(job, "status", "succeeded") + newSucceeded.length + textsAt(uncounted, "succeeded").length;
  return {
    job,
    pods,
    active: pods.filter(isActive),
    terminating: pods.filter((pod) => isTerminating(pod) && !isFinished(pod)).length,
    newSucceeded,
    newFailed,
    succeeded: isIndexed ? succeededIndexes.size : counted,
    failed: numberAt(job, "status", "failed") + countedFailed.length + textsAt(uncounted, "failed").length,
    completions: limit,
    isIndexed,
    succeededIndexes,
    failedIndexes: hasLimitPerIndex(job)
      ? indexesAfter(job, "failedIndexes", failedNow, limit ?? 0)
      : undefined,
  };
}

/**
 * Counts the pods of a Job without finalizers: those that exist. Upstream: `getStatus` and `calculateSucceededIndexes` (pkg/controller/job) without
 * uncounted pods.
 */
export function observeExistingPods(job: KubeObject, pods: readonly KubeObject[]): JobObservation {
  const isIndexed = textAt(job, "spec", "completionMode") === "Indexed";
  const { completions } = structAt(job, "spec");
  const limit = typeof completions === "number" ? completions : undefined;
  const isValid = (pod: KubeObject) => !isIndexed || (indexOf(pod) ?? Number.NaN) < (limit ?? 0);
  const inPhase = (phase: string) =>
    pods.filter((pod) => isValid(pod) && textAt(pod, "status", "phase") === phase);
  const succeeded = inPhase("Succeeded");
  const failed = inPhase("Failed");
  const succeededIndexes = new Set(isIndexed ? succeeded.map((pod) => indexOf(pod) ?? 0) : []);
  return {
    job,
    pods,
    active: pods.filter(isActive),
    terminating: pods.filter((pod) => isTerminating(pod) && !isFinished(pod)).length,
    newSucceeded: latest(succeeded, numberAt(job, "status", "succeeded")),
    newFailed: latest(failed, numberAt(job, "status", "failed")),
    succeeded: isIndexed ? succeededIndexes.size : succeeded.length,
    failed: failed.length,
    completions: limit,
    isIndexed,
    succeededIndexes,
    failedIndexes: undefined,
  };
}

/** The pods that ended last, without as many as are known. */
function latest(pods: readonly KubeObject[], known: number): readonly KubeObject[] {
  return pods.toSorted((a, b) => finishedTime(a) - finishedTime(b)).slice(known);
}

function indexesAfter(
  job: KubeObject,
  field: string,
  pods: readonly KubeObject[],
  completions: number,
): ReadonlySet<number> {
  const indexes = new Set(parseIndexes(textAt(job, "status", field), completions));
  for (const pod of pods) {
    const index = indexOf(pod);
    if (index !== undefined) indexes.add(index);
  }
  return indexes;
}

function isIndexFailed(job: KubeObject, pod: KubeObject): boolean {
  if (!hasLimitPerIndex(job)) return false;
  const { failsIndex, counts } = judgeFailure(job, pod);
  return failsIndex || (counts && indexFailures(pod) >= numberAt(job, "spec", "backoffLimitPerIndex"));
}

export function isSuspended(job: KubeObject): boolean {
  return booleanAt(job, "spec", "suspend");
}

/** How many milliseconds are left until the deadline of a Job; undefined without one. */
export function untilDeadline(job: KubeObject, now: number): number | undefined {
  const { activeDeadlineSeconds } = structAt(job, "spec");
  const start = Date.parse(textAt(job, "status", "startTime"));
  if (typeof activeDeadlineSeconds !== "number" || Number.isNaN(start) || isSuspended(job)) return undefined;
  return start + activeDeadlineSeconds * 1000 - now;
}

/** Why a Job ends now, if it does. Upstream: `syncJob` (pkg/controller/job/job_controller.go). */
export function endOf(
  observation: JobObservation,
  gates: FeatureGates,
  now: number,
): JobCondition | undefined {
  const { job } = observation;
  const met = trueCondition(job, "SuccessCriteriaMet");
  if (met !== undefined) return met;
  const target = trueCondition(job, "FailureTarget");
  if (target !== undefined) return { ...target, type: "Failed" };
  return failureOf(observation, gates, now) ?? successOf(observation, gates);
}

function failureOf(observation: JobObservation, gates: FeatureGates, now: number): JobCondition | undefined {
  const { job, pods, failed } = observation;
  const verdicts = pods.filter((pod) => isPodFailed(pod, job)).map((pod) => judgeFailure(job, pod));
  const policy = verdicts.find(({ failsJob }) => failsJob !== undefined);
  if (policy?.failsJob !== undefined)
    return { type: "FailureTarget", status: "True", reason: "PodFailurePolicy", message: policy.failsJob };
  if (failed > backoffLimit(job) || isPastLimitOnFailure(job, pods))
    return failure(gates, "BackoffLimitExceeded", "Job has reached the specified backoff limit");
  if ((untilDeadline(job, now) ?? 1) <= 0)
    return failure(gates, "DeadlineExceeded", "Job was active longer than specified deadline");
  return indexFailureOf(observation, gates);
}

function indexFailureOf(
  { job, failedIndexes, succeededIndexes, completions }: JobObservation,
  gates: FeatureGates,
): JobCondition | undefined {
  const { maxFailedIndexes } = structAt(job, "spec");
  const count = failedIndexes?.size ?? 0;
  if (typeof maxFailedIndexes === "number" && count > maxFailedIndexes) {
    const message = "Job has exceeded the specified maximal number of failed indexes";
    return failure(gates, "MaxFailedIndexesExceeded", message);
  }
  if (count === 0 || count + succeededIndexes.size < (completions ?? 0)) return undefined;
  return failure(gates, "FailedIndexes", "Job has failed indexes");
}

/** Whether a rule of the success policy is met. Upstream: `matchSuccessPolicy` (pkg/controller/job/success_policy.go). */
function successOf(
  { job, succeededIndexes, completions }: JobObservation,
  gates: FeatureGates,
): JobCondition | undefined {
  if (!gates.isEnabled("JobSuccessPolicy") || succeededIndexes.size === 0) return undefined;
  const met = listAt(job, "spec", "successPolicy", "rules").findIndex((rule) => {
    const listed = parseIndexes(textAt(rule, "succeededIndexes"), completions ?? 0);
    const { succeededIndexes: required, succeededCount } = rule;
    const found = [...(required === undefined ? succeededIndexes : listed)];
    const count = found.filter((one) => succeededIndexes.has(one)).length;
    const isEnough = typeof succeededCount === "number" && count >= succeededCount;
    return isEnough || (required !== undefined && listed.size > 0 && count === listed.size);
  });
  if (met < 0) return undefined;
  const message = `Matched rules at index ${met}`;
  return { type: "SuccessCriteriaMet", status: "True", reason: "SuccessPolicy", message };
}

/** Since 1.31, a Job ends when its last pod has ended; before that, a condition says why it will. */
function failure({ since }: FeatureGates, reason: string, message: string): JobCondition {
  return { type: since("1.31") ? "FailureTarget" : "Failed", status: "True", reason, message };
}

export function completion({ since }: FeatureGates): JobCondition {
  const isNew = since("1.31");
  return {
    type: isNew ? "SuccessCriteriaMet" : "Complete",
    status: "True",
    reason: isNew ? "CompletionsReached" : "",
    message: isNew ? "Reached expected number of succeeded pods" : "",
  };
}

function backoffLimit(job: KubeObject): number {
  return numberAt(job, "spec", "backoffLimit");
}

/** Restarted containers count too, if the kubelet restarts them. */
function isPastLimitOnFailure(job: KubeObject, pods: readonly KubeObject[]): boolean {
  if (textAt(job, "spec", "template", "spec", "restartPolicy") !== "OnFailure") return false;
  const running = pods.filter((pod) => ["Running", "Pending"].includes(textAt(pod, "status", "phase")));
  const restarts = running.reduce((sum, pod) => sum + restartsOf(pod), 0);
  return backoffLimit(job) === 0 ? restarts > 0 : restarts >= backoffLimit(job);
}
