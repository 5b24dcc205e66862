import { isAlreadyExists, isNotFound } from "../../../apimachinery/errors/error-predicates.ts";
import { messageOf } from "../../../apimachinery/errors/message-of.ts";
import { booleanAt, listAt, objectAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import { goQuote } from "../../../apimachinery/go/go-quote.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { formatTime } from "../../../apimachinery/time.ts";
import type { Controller } from "../../../controllers/contract/controller.ts";
import type { EventRecorder } from "../../events/event-recorder.ts";
import { isOfKind, isTerminating, keyOf, namesOf } from "../contract/object-key.ts";
import { cronJobs, jobs } from "../contract/workload-resources.ts";
import { updateStatus } from "../environment/update-status.ts";
import type { WorkloadEnvironment } from "../environment/workload-environment.ts";
import { isJobFinished, trueCondition } from "../job/job-conditions.ts";
import { controllerKey } from "../ownership/affected-owners.ts";
import { controllerReference, isControlledBy } from "../ownership/controller-reference.ts";
import { OwnedObjects } from "../ownership/owned-objects.ts";
import { isNamespaceTerminating } from "../pods/pod-control.ts";

import { cronTimes, type NextTime } from "./cron-times.ts";
import { KnownSchedules } from "./known-schedules.ts";
import { areTooMany, missedTimes } from "./missed-times.ts";
import { formatZoned, zonedTimes } from "./zoned-time.ts";

/** The controller looks a little later than the schedule says. */
const scheduleDelta = 100;
/** How often the controller before 1.21 looks, in milliseconds. */
const pollPeriod = 10_000;
const tooMany =
  "too many missed start time (> 100). Set or decrease .spec.startingDeadlineSeconds or check clock skew";

/** Creates the Jobs of CronJobs. Upstream: pkg/controller/cronjob. */
export function cronJobController(environment: WorkloadEnvironment): Controller {
  const owned = environment.memory.part("workloads/jobs", () => new OwnedObjects(jobs));
  const schedules = environment.memory.part("workloads/cronjobs/schedules", () => new KnownSchedules());
  const sync = new CronJobSync(environment, owned, schedules);
  return {
    name: "cronjob-controller",
    kinds: ["CronJob", "Job"],
    observe: (change) => {
      const { object, type } = change;
      if (isOfKind(object, cronJobs)) {
        if (type === "put") return [keyOf(object)];
        schedules.delete(keyOf(object));
        return [];
      }
      if (!isOfKind(object, jobs)) return [];
      owned.take(change);
      const key = controllerKey(object, cronJobs);
      return key === undefined ? [] : [key];
    },
    reconcile: (key) => sync.reconcile(key),
  };
}

type Reference = JsonObject;

/** The status after a Job was to be started, and why it could not be. */
interface Started {
  readonly status: JsonObject;
  readonly failure?: unknown;
}

class CronJobSync {
  readonly #environment: WorkloadEnvironment;
  readonly #owned: OwnedObjects;
  readonly #schedules: KnownSchedules;
  readonly #recorder: EventRecorder;

  constructor(environment: WorkloadEnvironment, owned: OwnedObjects, schedules: KnownSchedules) {
    this.#environment = environment;
    this.#owned = owned;
    this.#schedules = schedules;
    this.#recorder = environment.recorderOf("cronjob-controller");
  }

  async reconcile(key: string): Promise<number | undefined> {
    const { namespace, name } = namesOf(key);
    const cronJob = this.#environment.lister.get(cronJobs, namespace, name);
    if (cronJob === undefined) return undefined;
    const children = this.#owned.ownedBy(cronJob.metadata.uid ?? "");
    if (this.#isFirst) return this.#poll(cronJob, children);
    // Times that a new schedule has missed wait for its next time (`updateCronJob`).
    if (this.#schedules.replace(key, cronJob))
      return this.#untilNext(cronJob, structAt(cronJob, "status"), timesOf(cronJob));
    const followed = await this.#follow(cronJob, children, await this.#cleanUp(cronJob, children));
    const isIdle = isTerminating(cronJob) || booleanAt(cronJob, "spec", "suspend");
    const next = isIdle ? undefined : await this.#schedule(cronJob);
    const { status, failure } =
      next === undefined ? { status: followed } : await this.#startDue(cronJob, followed, next);
    await this.#write(cronJob, status);
    if (failure !== undefined) throw failure;
    return next === undefined ? undefined : this.#untilNext(cronJob, status, next);
  }

  /** Before 1.21, CronJobs had another controller. Upstream: `CronJobControllerV2`. */
  get #isFirst(): boolean {
    return !this.#environment.gates.since("1.21");
  }

  /** What the first controller did every 10 seconds. Upstream: `syncOne` and `cleanupFinishedJobs` (pkg/controller/cronjob/cronjob_controller.go). */
  async #poll(found: KubeObject, children: readonly KubeObject[]): Promise<number | undefined> {
    const cronJob = await this.#write(found, await this.#follow(found, children, new Set()));
    const isIdle = isTerminating(cronJob) || booleanAt(cronJob, "spec", "suspend");
    const next = isIdle ? undefined : timesOf(cronJob);
    const followed = structAt(cronJob, "status");
    const { status, failure } =
      next === undefined ? { status: followed } : await this.#startDue(cronJob, followed, next);
    const started = await this.#write(cronJob, status);
    const deleted = await this.#cleanUp(started, children);
    const active = listAt(status, "active").filter(({ uid }) => !deleted.has(uid));
    await this.#write(started, withActive(structAt(started, "status"), active));
    if (failure !== undefined) return pollPeriod;
    return next === undefined ? undefined : this.#untilNext(cronJob, status, next);
  }

  async #write(cronJob: KubeObject, status: JsonObject): Promise<KubeObject> {
    if (jsonEqual(status, structAt(cronJob, "status"))) return cronJob;
    return updateStatus(this.#environment, cronJobs, cronJob, status);
  }

  async #schedule(cronJob: KubeObject): Promise<NextTime> {
    const text = textAt(cronJob, "spec", "schedule");
    if (text.includes("TZ")) {
      const advice = "https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details";
      const message = `CRON_TZ or TZ used in schedule ${goQuote(text)} is not officially supported, see ${advice}`;
      await this.#say(cronJob, "Warning", "UnsupportedSchedule", message);
    }
    return timesOf(cronJob);
  }

  /** Takes Jobs that have ended, or that are gone, off the list of active ones. A Job counts as successful once it is off the list. */
  async #follow(
    cronJob: KubeObject,
    children: readonly KubeObject[],
    deleted: ReadonlySet<unknown>,
  ): Promise<JsonObject> {
    const status = structAt(cronJob, "status");
    const references = listAt(status, "active").filter(({ uid }) => !deleted.has(uid));
    const ended = new Set<unknown>();
    let last = textAt(status, "lastSuccessfulTime");
    for (const job of children) {
      const { uid, name } = job.metadata;
      const isListed = references.some((one) => one["uid"] === uid);
      const time = textAt(job, "status", "completionTime");
      if (isListed && isJobFinished(job)) {
        ended.add(uid);
        await this.#sayCompleted(cronJob, job);
      } else if (!isListed && !isJobFinished(job)) {
        const message = `Saw a job that the controller did not create or forgot: ${name}`;
        await this.#say(cronJob, "Warning", "UnexpectedJob", message);
      } else if (trueCondition(job, "Complete") !== undefined && time > last) last = time;
    }
    const known = new Set<unknown>(children.map(({ metadata }) => metadata.uid));
    for (const { uid, name } of references) {
      if (!known.has(uid))
        await this.#say(cronJob, "Normal", "MissingJob", `Active job went missing: ${name}`);
    }
    const active = references.filter(({ uid }) => known.has(uid) && !ended.has(uid));
    const hasLast = last !== "" && !this.#isFirst;
    return { ...withActive(status, active), ...(hasLast && { lastSuccessfulTime: last }) };
  }

  #sayCompleted(cronJob: KubeObject, job: KubeObject): Promise<void> {
    const condition = trueCondition(job, "Complete") === undefined ? "Failed" : "Complete";
    const word = this.#environment.gates.since("1.30") ? "condition" : "status";
    const message = `Saw completed job: ${job.metadata.name}, ${word}: ${condition}`;
    return this.#say(cronJob, "Normal", "SawCompletedJob", message);
  }

  /** Starts the Job that is due, if one is. */
  async #startDue(cronJob: KubeObject, status: JsonObject, next: NextTime): Promise<Started> {
    const now = this.#environment.clock.now();
    const { startingDeadlineSeconds } = structAt(cronJob, "spec");
    const deadline = typeof startingDeadlineSeconds === "number" ? startingDeadlineSeconds * 1000 : undefined;
    const earliest = Math.max(lastTime(cronJob, status), deadline === undefined ? 0 : now - deadline);
    if (this.#isFirst && areTooMany(next, earliest, now)) {
      const message = `Cannot determine if job needs to be started: ${tooMany}`;
      await this.#say(cronJob, "Warning", "FailedNeedsStart", message);
      return { status };
    }
    if (!this.#isFirst && next(earliest) === undefined) {
      const problem = "time difference between two schedules is less than 1 second";
      const message = `invalid schedule: ${textAt(cronJob, "spec", "schedule")} : ${problem}`;
      await this.#say(cronJob, "Warning", "InvalidSchedule", message);
      return { status };
    }
    const { latest, areMany } = missedTimes(next, earliest, now);
    if (latest === undefined) return { status };
    if (areMany && !this.#isFirst) {
      const advice = "Set or decrease .spec.startingDeadlineSeconds or check clock skew";
      await this.#say(cronJob, "Warning", "TooManyMissedTimes", `too many missed start times. ${advice}`);
    }
    if (deadline !== undefined && latest + deadline < now) {
      const time = new Date(latest).toUTCString().replace("GMT", "+0000");
      await this.#say(cronJob, "Warning", "MissSchedule", `Missed scheduled time to start a job: ${time}`);
      return { status };
    }
    const isStarted = listAt(status, "active").some((one) => one["name"] === this.#jobName(cronJob, latest));
    return isStarted ? { status } : this.#start(cronJob, status, latest);
  }

  async #start(cronJob: KubeObject, status: JsonObject, time: number): Promise<Started> {
    const policy = textAt(cronJob, "spec", "concurrencyPolicy");
    let active = listAt(status, "active");
    if (policy === "Forbid" && active.length > 0) {
      const message = "Not starting job because prior execution is running and concurrency policy is Forbid";
      if (!this.#isFirst) await this.#say(cronJob, "Normal", "JobAlreadyActive", message);
      return { status };
    }
    try {
      if (policy === "Replace")
        for (const one of active) {
          await this.#delete(cronJob, textAt(one, "name"));
          active = active.slice(1);
        }
      const job = await this.#create(cronJob, time);
      if (job === undefined) return { status: withActive(status, active) };
      const started = withActive(status, [...active, referenceTo(job)]);
      return { status: { ...started, lastScheduleTime: formatTime(time) } };
    } catch (failure) {
      return { status: withActive(status, active), failure };
    }
  }

  /** The minutes since the epoch distinguish the Jobs; before 1.21, the seconds. */
  #jobName({ metadata }: KubeObject, time: number): string {
    const unit = this.#isFirst ? 1000 : 60_000;
    return `${metadata.name}-${Math.floor(time / unit)}`;
  }

  /** Returns undefined if another object has the name. */
  async #create(cronJob: KubeObject, time: number): Promise<KubeObject | undefined> {
    const { client, lister } = this.#environment;
    const { namespace = "" } = cronJob.metadata;
    try {
      const job = await client.create(this.#manifest(cronJob, time), { namespace });
      await this.#say(cronJob, "Normal", "SuccessfulCreate", `Created job ${job.metadata.name}`);
      return job;
    } catch (error) {
      if (isAlreadyExists(error) && !this.#isFirst) {
        const existing = lister.get(jobs, namespace, this.#jobName(cronJob, time));
        return existing !== undefined && isControlledBy(existing, cronJob) ? existing : undefined;
      }
      if (!isNamespaceTerminating(error))
        await this.#say(cronJob, "Warning", "FailedCreate", `Error creating job: ${messageOf(error)}`);
      throw error;
    }
  }

  #manifest(cronJob: KubeObject, time: number): JsonObject {
    const template = structAt(cronJob, "spec", "jobTemplate");
    const timestamp = formatZoned(time, textAt(cronJob, "spec", "timeZone"));
    const scheduled = this.#environment.gates.since("1.28")
      ? { "batch.kubernetes.io/cronjob-scheduled-timestamp": timestamp }
      : {};
    return {
      apiVersion: jobs.apiVersion,
      kind: jobs.kind,
      metadata: {
        name: this.#jobName(cronJob, time),
        labels: objectAt(template, "metadata", "labels") ?? {},
        annotations: { ...objectAt(template, "metadata", "annotations"), ...scheduled },
        ownerReferences: [controllerReference(cronJob)],
      },
      spec: structAt(template, "spec"),
    };
  }

  /** Deletes the oldest Jobs that have ended, beyond the limits of the history, and returns their uids. */
  async #cleanUp(cronJob: KubeObject, children: readonly KubeObject[]): Promise<ReadonlySet<unknown>> {
    const ended = children.filter((job) => isJobFinished(job) && !isTerminating(job)).toSorted(byStartTime);
    const groups = [
      ["successfulJobsHistoryLimit", ended.filter((job) => trueCondition(job, "Complete") !== undefined)],
      ["failedJobsHistoryLimit", ended.filter((job) => trueCondition(job, "Complete") === undefined)],
    ] as const;
    const deleted = new Set<unknown>();
    for (const [field, group] of groups) {
      const limit = structAt(cronJob, "spec")[field];
      if (typeof limit !== "number") continue;
      for (const { metadata } of group.slice(0, Math.max(0, group.length - limit))) {
        // An Event reports a refusal, and the next look tries again.
        const isDeleted = this.#delete(cronJob, metadata.name ?? "").then(
          () => true,
          () => false,
        );
        if (await isDeleted) deleted.add(metadata.uid);
      }
    }
    return deleted;
  }

  async #delete(cronJob: KubeObject, name: string): Promise<void> {
    const { namespace = "" } = cronJob.metadata;
    const options = { namespace, propagationPolicy: "Background" } as const;
    try {
      await this.#environment.client.delete(jobs.apiVersion, jobs.kind, name, options);
    } catch (error) {
      if (isNotFound(error)) return;
      await this.#say(cronJob, "Warning", "FailedDelete", `Deleted job: ${messageOf(error)}`);
      throw error;
    }
    await this.#say(cronJob, "Normal", "SuccessfulDelete", `Deleted job ${name}`);
  }

  /** The milliseconds until the next Job is due. */
  #untilNext(cronJob: KubeObject, status: JsonObject, next: NextTime): number | undefined {
    const now = this.#environment.clock.now();
    const time = next(Math.max(now, lastTime(cronJob, status)));
    return time === undefined ? undefined : time + scheduleDelta - now;
  }

  #say(cronJob: KubeObject, type: "Normal" | "Warning", reason: string, message: string): Promise<void> {
    return this.#recorder.record(cronJob, { type, reason, message });
  }
}

function timesOf(cronJob: KubeObject): NextTime {
  const text = textAt(cronJob, "spec", "schedule");
  const [, zone, schedule] = /^(?:CRON_)?TZ=(\S+)\s+(.*)$/.exec(text) ?? [];
  return cronTimes(schedule ?? text, zonedTimes(zone ?? textAt(cronJob, "spec", "timeZone")));
}

function withActive(status: JsonObject, active: readonly Reference[]): JsonObject {
  const { active: _, ...others } = status;
  return active.length > 0 ? { active, ...others } : others;
}

/** The last time for which a Job was started, or else the creation. */
function lastTime({ metadata }: KubeObject, status: JsonObject): number {
  return Date.parse(textAt(status, "lastScheduleTime") || (metadata.creationTimestamp ?? ""));
}

function referenceTo({ apiVersion, kind, metadata }: KubeObject): Reference {
  const { namespace = "", name = "", uid = "", resourceVersion = "" } = metadata;
  return { kind, namespace, name, uid, apiVersion, resourceVersion };
}

function byStartTime(a: KubeObject, b: KubeObject): number {
  const order = (job: KubeObject) => `${textAt(job, "status", "startTime")} ${job.metadata.name}`;
  return order(a) < order(b) ? -1 : 1;
}
