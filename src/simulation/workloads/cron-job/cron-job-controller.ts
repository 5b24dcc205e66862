import { isAlreadyExists, isNotFound } from "../../../apimachinery/errors/error-predicates.ts";
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
import { isNamespaceTerminating, messageOf } from "../pods/pod-control.ts";

import { cronTimes, type NextTime } from "./cron-times.ts";
import { missedTimes } from "./missed-times.ts";
import { formatZoned, zonedTimes } from "./zoned-time.ts";

/** The controller looks a little later than the schedule says. */
const scheduleDelta = 100;

/** Creates the Jobs of CronJobs. Upstream: pkg/controller/cronjob. */
export function cronJobController(environment: WorkloadEnvironment): Controller {
  const owned = environment.memory.part("workloads/jobs", () => new OwnedObjects(jobs));
  const sync = new CronJobSync(environment, owned);
  return {
    name: "cronjob-controller",
    kinds: ["CronJob", "Job"],
    observe: (change) => {
      const { object, type } = change;
      if (isOfKind(object, cronJobs)) return type === "put" ? [keyOf(object)] : [];
      if (!isOfKind(object, jobs)) return [];
      owned.take(change);
      const key = controllerKey(object, cronJobs);
      return key === undefined ? [] : [key];
    },
    reconcile: (key) => sync.reconcile(key),
  };
}

type Reference = JsonObject;

class CronJobSync {
  readonly #environment: WorkloadEnvironment;
  readonly #owned: OwnedObjects;
  readonly #recorder: EventRecorder;

  constructor(environment: WorkloadEnvironment, owned: OwnedObjects) {
    this.#environment = environment;
    this.#owned = owned;
    this.#recorder = environment.recorderOf("cronjob-controller");
  }

  async reconcile(key: string): Promise<number | undefined> {
    const { namespace, name } = namesOf(key);
    const cronJob = this.#environment.lister.get(cronJobs, namespace, name);
    if (cronJob === undefined) return undefined;
    const children = this.#owned.ownedBy(cronJob.metadata.uid ?? "");
    const followed = await this.#follow(cronJob, children);
    const isIdle = isTerminating(cronJob) || booleanAt(cronJob, "spec", "suspend");
    const next = isIdle ? undefined : await this.#schedule(cronJob);
    const status = next === undefined ? followed : await this.#startDue(cronJob, followed, next);
    await this.#cleanUp(cronJob, children);
    if (!jsonEqual(status, structAt(cronJob, "status")))
      await updateStatus(this.#environment, cronJobs, cronJob, status);
    return next === undefined ? undefined : this.#untilNext(cronJob, status, next);
  }

  async #schedule(cronJob: KubeObject): Promise<NextTime> {
    const text = textAt(cronJob, "spec", "schedule");
    if (text.includes("TZ")) {
      const advice = "https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details";
      const message = `CRON_TZ or TZ used in schedule ${goQuote(text)} is not officially supported, see ${advice}`;
      await this.#say(cronJob, "Warning", "UnsupportedSchedule", message);
    }
    const [, zone, schedule] = /^(?:CRON_)?TZ=(\S+)\s+(.*)$/.exec(text) ?? [];
    return cronTimes(schedule ?? text, zonedTimes(zone ?? textAt(cronJob, "spec", "timeZone")));
  }

  /** Takes Jobs that have ended, or that are gone, off the list of active ones. */
  async #follow(cronJob: KubeObject, children: readonly KubeObject[]): Promise<JsonObject> {
    const status = structAt(cronJob, "status");
    const known = new Map(children.map((job) => [job.metadata.uid, job]));
    const active: Reference[] = [];
    let last = textAt(status, "lastSuccessfulTime");
    for (const reference of listAt(status, "active")) {
      const job = known.get(textAt(reference, "uid"));
      const name = textAt(reference, "name");
      if (job === undefined)
        await this.#say(cronJob, "Normal", "MissingJob", `Active job went missing: ${name}`);
      else if (isJobFinished(job)) await this.#sayCompleted(cronJob, job);
      else active.push(reference);
    }
    for (const job of children) {
      const time = textAt(job, "status", "completionTime");
      if (trueCondition(job, "Complete") !== undefined && time > last) last = time;
      const isListed = listAt(status, "active").some((one) => one["uid"] === job.metadata.uid);
      if (isListed || isJobFinished(job)) continue;
      const message = `Saw a job that the controller did not create or forgot: ${job.metadata.name}`;
      await this.#say(cronJob, "Warning", "UnexpectedJob", message);
    }
    const { active: _, ...others } = status;
    return {
      ...(active.length > 0 && { active }),
      ...others,
      ...(last !== "" && { lastSuccessfulTime: last }),
    };
  }

  #sayCompleted(cronJob: KubeObject, job: KubeObject): Promise<void> {
    const condition = trueCondition(job, "Complete") === undefined ? "Failed" : "Complete";
    const message = `Saw completed job: ${job.metadata.name}, condition: ${condition}`;
    return this.#say(cronJob, "Normal", "SawCompletedJob", message);
  }

  /** Starts the Job that is due, if one is. */
  async #startDue(cronJob: KubeObject, status: JsonObject, next: NextTime): Promise<JsonObject> {
    const now = this.#environment.clock.now();
    const { startingDeadlineSeconds } = structAt(cronJob, "spec");
    const deadline = typeof startingDeadlineSeconds === "number" ? startingDeadlineSeconds * 1000 : undefined;
    const earliest = Math.max(lastTime(cronJob, status), deadline === undefined ? 0 : now - deadline);
    const { latest, areMany } = missedTimes(next, earliest, now);
    if (latest === undefined) return status;
    if (areMany) {
      const advice = "Set or decrease .spec.startingDeadlineSeconds or check clock skew";
      await this.#say(cronJob, "Warning", "TooManyMissedTimes", `too many missed start times. ${advice}`);
    }
    if (deadline !== undefined && latest + deadline < now) {
      const time = new Date(latest).toUTCString().replace("GMT", "+0000");
      await this.#say(cronJob, "Warning", "MissSchedule", `Missed scheduled time to start a job: ${time}`);
      return status;
    }
    const isStarted = listAt(status, "active").some((one) => one["name"] === jobName(cronJob, latest));
    return isStarted ? status : this.#start(cronJob, status, latest);
  }

  async #start(cronJob: KubeObject, status: JsonObject, time: number): Promise<JsonObject> {
    const policy = textAt(cronJob, "spec", "concurrencyPolicy");
    const active = listAt(status, "active");
    if (policy === "Forbid" && active.length > 0) {
      const message = "Not starting job because prior execution is running and concurrency policy is Forbid";
      await this.#say(cronJob, "Normal", "JobAlreadyActive", message);
      return status;
    }
    if (policy === "Replace") for (const one of active) await this.#delete(cronJob, textAt(one, "name"));
    const job = await this.#create(cronJob, time);
    if (job === undefined) return status;
    const kept = policy === "Replace" ? [] : active;
    return { ...status, active: [...kept, referenceTo(job)], lastScheduleTime: formatTime(time) };
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
      if (isAlreadyExists(error)) {
        const existing = lister.get(jobs, namespace, jobName(cronJob, time));
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
        name: jobName(cronJob, time),
        labels: objectAt(template, "metadata", "labels") ?? {},
        annotations: { ...objectAt(template, "metadata", "annotations"), ...scheduled },
        ownerReferences: [controllerReference(cronJob)],
      },
      spec: structAt(template, "spec"),
    };
  }

  /** Deletes the oldest Jobs that have ended, beyond the limits of the history. */
  async #cleanUp(cronJob: KubeObject, children: readonly KubeObject[]): Promise<void> {
    const ended = children.filter((job) => isJobFinished(job) && !isTerminating(job)).toSorted(byStartTime);
    const groups = [
      ["successfulJobsHistoryLimit", ended.filter((job) => trueCondition(job, "Complete") !== undefined)],
      ["failedJobsHistoryLimit", ended.filter((job) => trueCondition(job, "Complete") === undefined)],
    ] as const;
    for (const [field, group] of groups) {
      const limit = structAt(cronJob, "spec")[field];
      if (typeof limit !== "number") continue;
      for (const job of group.slice(0, Math.max(0, group.length - limit)))
        await this.#delete(cronJob, job.metadata.name ?? "");
    }
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

/** The last time for which a Job was started, or else the creation. */
function lastTime({ metadata }: KubeObject, status: JsonObject): number {
  return Date.parse(textAt(status, "lastScheduleTime") || (metadata.creationTimestamp ?? ""));
}

/** The minutes since the epoch distinguish the Jobs. */
function jobName({ metadata }: KubeObject, time: number): string {
  return `${metadata.name}-${Math.floor(time / 60_000)}`;
}

function referenceTo({ apiVersion, kind, metadata }: KubeObject): Reference {
  const { namespace = "", name = "", uid = "", resourceVersion = "" } = metadata;
  return { kind, namespace, name, uid, apiVersion, resourceVersion };
}

function byStartTime(a: KubeObject, b: KubeObject): number {
  const order = (job: KubeObject) => `${textAt(job, "status", "startTime")} ${job.metadata.name}`;
  return order(a) < order(b) ? -1 : 1;
}
