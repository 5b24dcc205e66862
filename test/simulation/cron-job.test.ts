import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/index.ts";
import { Workloads } from "./workloads.ts";

let w: Workloads;
beforeEach(() => {
  w = new Workloads();
});
afterEach(() => w.cluster.close());

const cronJob = (spec: JsonObject = {}): JsonObject => ({
  apiVersion: "batch/v1",
  kind: "CronJob",
  metadata: { name: "report" },
  spec: {
    schedule: "*/10 * * * *",
    jobTemplate: {
      metadata: { labels: { app: "report" } },
      spec: { template: { spec: { restartPolicy: "Never", containers: [{ name: "main", image: "i" }] } } },
    },
    ...spec,
  },
});
const status = () => w.status("batch/v1", "CronJob", "report");
const jobs = () => w.all("batch/v1", "Job");
const names = async () => (await jobs()).map(({ metadata }) => metadata.name);
const minutes = Date.parse("2026-01-01T00:00:00Z") / 60_000;

async function finishPods(): Promise<void> {
  for (const pod of await w.pods()) {
    if ((pod["status"] as JsonObject)["phase"] === "Pending") await w.finish(pod, "Succeeded");
  }
  await w.cluster.settle();
}

async function pass(duration: string): Promise<void> {
  await w.cluster.settle();
  await w.cluster.clock.advance(duration);
  await w.cluster.settle();
}

test("a CronJob starts a Job at each time of its schedule", async () => {
  await w.cluster.create(cronJob({ timeZone: "Europe/Berlin" }));
  await pass("10m1s");
  const [job] = await jobs();
  expect(job?.metadata).toMatchObject({
    name: `report-${minutes + 10}`,
    labels: { app: "report" },
    annotations: { "batch.kubernetes.io/cronjob-scheduled-timestamp": "2026-01-01T01:10:00+01:00" },
    ownerReferences: [{ kind: "CronJob", name: "report", controller: true }],
  });
  expect(await status()).toMatchObject({
    active: [{ apiVersion: "batch/v1", kind: "Job", name: job?.metadata.name, uid: job?.metadata.uid }],
    lastScheduleTime: "2026-01-01T00:10:00Z",
  });
  await finishPods();
  expect(await status()).toEqual({ lastScheduleTime: "2026-01-01T00:10:00Z", lastSuccessfulTime: w.now() });
  expect(await w.events("CronJob")).toEqual([
    `SuccessfulCreate: Created job report-${minutes + 10}`,
    `SawCompletedJob: Saw completed job: report-${minutes + 10}, condition: Complete`,
  ]);
});

describe("while a Job runs", () => {
  test.each([
    ["Allow", [10, 20]],
    ["Forbid", [10]],
    ["Replace", [20]],
  ])("%s leads to these Jobs", async (concurrencyPolicy, expected) => {
    await w.cluster.create(cronJob({ concurrencyPolicy }));
    await pass("10m1s");
    await w.runAll();
    await pass("10m");
    await w.removeTerminating();
    expect(await names()).toEqual(expected.map((minute) => `report-${minutes + minute}`));
  });
});

test("the history keeps the newest Jobs", async () => {
  await w.cluster.create(cronJob({ successfulJobsHistoryLimit: 1 }));
  for (let i = 0; i < 3; i++) {
    await pass(i === 0 ? "10m1s" : "10m");
    await finishPods();
  }
  await w.removeTerminating();
  expect(await names()).toEqual([`report-${minutes + 30}`]);
});

test("a suspended CronJob starts nothing, and the last missed time when it is resumed", async () => {
  await w.cluster.create(cronJob({ suspend: true }));
  await pass("35m");
  expect(await names()).toEqual([]);
  await w.cluster.patch("batch/v1", "CronJob", "report", { spec: { suspend: false } });
  expect(await names()).toEqual([`report-${minutes + 30}`]);
});

test("a time that is older than the deadline is not made up for", async () => {
  await w.cluster.create(cronJob({ suspend: true, startingDeadlineSeconds: 60 }));
  await pass("35m");
  await w.cluster.patch("batch/v1", "CronJob", "report", { spec: { suspend: false } });
  expect(await names()).toEqual([]);
});

test("a new schedule waits for its next time", async () => {
  await w.cluster.create(cronJob({ schedule: "0 0 1 1 *" }));
  await pass("35m30s");
  await w.cluster.patch("batch/v1", "CronJob", "report", { spec: { schedule: "* * * * *" } });
  expect(await names()).toEqual([]);
  await pass("31s");
  expect(await names()).toEqual([`report-${minutes + 36}`]);
});

test("a schedule without a time is invalid", async () => {
  await w.cluster.create(cronJob({ schedule: "0 0 31 2 *" }));
  expect(await w.events("CronJob")).toEqual([
    "InvalidSchedule: invalid schedule: 0 0 31 2 * : time difference between two schedules is less than 1 second",
  ]);
});

test("a Job that ends beyond the history is deleted before its end is seen", async () => {
  await w.cluster.create(cronJob({ successfulJobsHistoryLimit: 0 }));
  await pass("10m1s");
  await finishPods();
  expect(await status()).toEqual({ lastScheduleTime: "2026-01-01T00:10:00Z", lastSuccessfulTime: w.now() });
  expect(await w.events("CronJob")).toEqual([
    `SuccessfulCreate: Created job report-${minutes + 10}`,
    `SuccessfulDelete: Deleted job report-${minutes + 10}`,
  ]);
});

test("the end of a Job is written although the next one is refused", async () => {
  await w.cluster.create(cronJob());
  await pass("10m1s");
  await w.cluster.patch("batch/v1", "CronJob", "report", { spec: { suspend: true } });
  await w.cluster.create({
    apiVersion: "v1",
    kind: "ResourceQuota",
    metadata: { name: "few" },
    spec: { hard: { "count/jobs.batch": "1" } },
  });
  await pass("10m");
  for (const pod of await w.pods()) await w.finish(pod, "Succeeded");
  await w.cluster.patch("batch/v1", "CronJob", "report", { spec: { suspend: false } });
  expect(await status()).toEqual({ lastScheduleTime: "2026-01-01T00:10:00Z", lastSuccessfulTime: w.now() });
  const events = await w.events("CronJob");
  expect(events.slice(1)).toEqual([
    `SawCompletedJob: Saw completed job: report-${minutes + 10}, condition: Complete`,
    expect.stringContaining("FailedCreate: Error creating job: jobs.batch"),
  ]);
});

test("more than 100 missed times are reported", async () => {
  await w.cluster.create(cronJob({ suspend: true, schedule: "* * * * *" }));
  await pass("102m");
  await w.cluster.patch("batch/v1", "CronJob", "report", { spec: { suspend: false } });
  expect(await names()).toEqual([`report-${minutes + 102}`]);
  expect((await w.events("CronJob"))[0]).toBe(
    "TooManyMissedTimes: too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew",
  );
});

test("a finished Job is deleted after its time to live", async () => {
  const spec = {
    ttlSecondsAfterFinished: 30,
    template: { spec: { restartPolicy: "Never", containers: [{ name: "main", image: "i" }] } },
  };
  await w.cluster.create({ apiVersion: "batch/v1", kind: "Job", metadata: { name: "once" }, spec });
  await finishPods();
  await pass("29s");
  expect(await names()).toEqual(["once"]);
  await pass("1s");
  expect(await names()).toEqual([]);
  expect(await w.pods()).toEqual([]);
});

/** Upstream: pkg/controller/cronjob/cronjob_controller.go of 1.20. */
describe("before 1.21", () => {
  const old = (spec: JsonObject = {}): JsonObject => ({ ...cronJob(spec), apiVersion: "batch/v1beta1" });
  const oldStatus = () => w.status("batch/v1beta1", "CronJob", "report");
  const change = (spec: JsonObject) => w.cluster.patch("batch/v1beta1", "CronJob", "report", { spec });
  const name = (minute: number) => `report-${(minutes + minute) * 60}`;
  beforeEach(async () => {
    await w.cluster.close();
    w = new Workloads({ release: "1.20" });
  });

  test("the names of Jobs have seconds, and the status has no last success", async () => {
    await w.cluster.create(old());
    await pass("10m1s");
    const [job] = await jobs();
    expect(job?.metadata).toMatchObject({
      name: name(10),
      ownerReferences: [{ apiVersion: "batch/v1beta1", kind: "CronJob", name: "report" }],
    });
    expect(await oldStatus()).toMatchObject({
      active: [{ apiVersion: "batch/v1", kind: "Job", name: name(10) }],
      lastScheduleTime: "2026-01-01T00:10:00Z",
    });
    await finishPods();
    expect(await oldStatus()).toEqual({ lastScheduleTime: "2026-01-01T00:10:00Z" });
    expect(await w.events("CronJob")).toEqual([
      `SuccessfulCreate: Created job ${name(10)}`,
      `SawCompletedJob: Saw completed job: ${name(10)}, status: Complete`,
    ]);
  });

  test("a new schedule makes up for the last time that it has missed", async () => {
    await w.cluster.create(old({ schedule: "0 0 1 1 *" }));
    await pass("35m30s");
    await change({ schedule: "*/10 * * * *" });
    expect(await names()).toEqual([name(30)]);
  });

  test("a Job that ends beyond the history is seen before it is deleted", async () => {
    await w.cluster.create(old({ successfulJobsHistoryLimit: 0 }));
    await pass("10m1s");
    await finishPods();
    expect(await w.events("CronJob")).toEqual([
      `SuccessfulCreate: Created job ${name(10)}`,
      `SawCompletedJob: Saw completed job: ${name(10)}, status: Complete`,
      `SuccessfulDelete: Deleted job ${name(10)}`,
    ]);
    expect(await oldStatus()).toEqual({ lastScheduleTime: "2026-01-01T00:10:00Z" });
  });

  test("no Job starts after more than 100 missed times", async () => {
    await w.cluster.create(old({ suspend: true, schedule: "* * * * *" }));
    await pass("100m30s");
    await using fork = w.cluster.fork();
    await change({ suspend: false });
    expect(await names()).toEqual([name(100)]);
    await fork.clock.advance("1m");
    await fork.patch("batch/v1beta1", "CronJob", "report", { spec: { suspend: false } });
    await fork.settle();
    expect((await fork.list("batch/v1", "Job")).items).toEqual([]);
    const { items } = await fork.list("v1", "Event");
    expect(items.map(({ type, reason, message }) => [type, reason, message])).toEqual([
      [
        "Warning",
        "FailedNeedsStart",
        "Cannot determine if job needs to be started: too many missed start time (> 100). Set or decrease .spec.startingDeadlineSeconds or check clock skew",
      ],
    ]);
  });

  test("nothing tells that Forbid has kept a Job from starting", async () => {
    await w.cluster.create(old({ concurrencyPolicy: "Forbid" }));
    await pass("10m1s");
    await w.runAll();
    await pass("20m");
    expect(await names()).toEqual([name(10)]);
    expect(await w.events("CronJob")).toEqual([`SuccessfulCreate: Created job ${name(10)}`]);
  });

  test("a Job that is refused is tried again after 10 seconds", async () => {
    const hard = { "count/jobs.batch": "0" };
    const quota = { apiVersion: "v1", kind: "ResourceQuota", metadata: { name: "none" }, spec: { hard } };
    await w.cluster.create(quota);
    await w.cluster.create(old());
    await pass("10m1s");
    const counts = async () =>
      (await w.all("v1", "Event"))
        .filter(({ reason }) => reason === "FailedCreate")
        .map(({ count }) => count);
    expect(await counts()).toEqual([1]);
    await pass("9s");
    expect(await counts()).toEqual([1]);
    await pass("1s");
    expect(await counts()).toEqual([2]);
    await w.cluster.delete("v1", "ResourceQuota", "none");
    await pass("10s");
    expect(await names()).toEqual([name(10)]);
  });
});

test("a schedule with a time zone in it works, but is not supported", async () => {
  await using cluster = new Workloads({ release: "1.24" }).cluster;
  await cluster.create(cronJob({ schedule: "TZ=Europe/Berlin 0 1 * * *" }));
  await cluster.settle();
  const { items } = await cluster.list("v1", "Event");
  expect(items.map(({ type, reason, message }) => [type, reason, message])).toEqual([
    [
      "Warning",
      "UnsupportedSchedule",
      'CRON_TZ or TZ used in schedule "TZ=Europe/Berlin 0 1 * * *" is not officially supported, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details',
    ],
  ]);
});
