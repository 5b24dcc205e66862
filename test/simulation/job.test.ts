import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { JsonObject, KubeObject } from "../../src/index.ts";
import { Workloads } from "./workloads.ts";

let w: Workloads;
beforeEach(() => {
  w = new Workloads();
});
afterEach(() => w.cluster.close());

const job = (spec: JsonObject = {}): JsonObject => ({
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name: "sum" },
  spec: {
    template: { spec: { restartPolicy: "Never", containers: [{ name: "main", image: "i" }] } },
    ...spec,
  },
});
const status = () => w.status("batch/v1", "Job", "sum");
const phaseOf = (pod: KubeObject) => (pod["status"] as JsonObject)["phase"];
const active = async () =>
  (await w.pods()).filter((pod) => phaseOf(pod) === "Pending" && !pod.metadata.deletionTimestamp);
const indexOf = ({ metadata }: KubeObject) =>
  metadata.annotations?.["batch.kubernetes.io/job-completion-index"];

async function end(
  phase: "Succeeded" | "Failed",
  pick: (pod: KubeObject) => boolean = () => true,
): Promise<void> {
  for (const pod of await active()) if (pick(pod)) await w.finish(pod, phase);
  await w.cluster.settle();
}

async function conditions(): Promise<readonly string[]> {
  const list = ((await status())["conditions"] ?? []) as readonly JsonObject[];
  return list.map(({ type, status: is, reason = "" }) => `${type} ${is} ${reason}`.trim());
}

test("a Job completes with its pods", async () => {
  await w.cluster.create(job({ completions: 3, parallelism: 2 }));
  expect(await active()).toHaveLength(2);
  const [pod] = await active();
  expect(pod?.metadata).toMatchObject({
    generateName: "sum-",
    finalizers: ["batch.kubernetes.io/job-tracking"],
    labels: { "job-name": "sum", "batch.kubernetes.io/job-name": "sum" },
  });
  expect(await status()).toEqual({
    active: 2,
    ready: 0,
    terminating: 0,
    startTime: w.now(),
    uncountedTerminatedPods: {},
  });
  await end("Succeeded");
  expect(await active()).toHaveLength(1);
  expect(await status()).toMatchObject({ active: 1, succeeded: 2 });
  await w.cluster.clock.advance("5s");
  await end("Succeeded");
  const time = w.now();
  const condition = (type: string) => ({
    type,
    status: "True",
    lastProbeTime: time,
    lastTransitionTime: time,
    reason: "CompletionsReached",
    message: "Reached expected number of succeeded pods",
  });
  expect(await status()).toEqual({
    ready: 0,
    terminating: 0,
    succeeded: 3,
    startTime: "2026-01-01T00:00:00Z",
    completionTime: time,
    uncountedTerminatedPods: {},
    conditions: [condition("SuccessCriteriaMet"), condition("Complete")],
  });
  expect((await w.pods()).flatMap(({ metadata }) => metadata.finalizers ?? [])).toEqual([]);
  const events = await w.events("Job");
  expect(events.slice(0, 3).every((event) => event.startsWith("SuccessfulCreate: Created pod: sum-"))).toBe(
    true,
  );
  expect(events.slice(3)).toEqual(["Completed: Job completed"]);
});

test("before 1.31, Complete is the only condition", async () => {
  const old = new Workloads({ release: "1.30" });
  await old.cluster.create(job());
  for (const pod of await old.pods()) await old.finish(pod, "Succeeded");
  const { conditions: list } = await old.status("batch/v1", "Job", "sum");
  expect(list).toMatchObject([{ type: "Complete", status: "True" }]);
  await old.cluster.close();
});

test("failed pods are replaced after a growing delay, up to the limit", async () => {
  await w.cluster.create(job({ backoffLimit: 2 }));
  await end("Failed");
  expect(await active()).toHaveLength(0);
  await w.cluster.clock.advance("10s");
  expect(await active()).toHaveLength(1);
  await end("Failed");
  await w.cluster.clock.advance("19s");
  expect(await active()).toHaveLength(0);
  await w.cluster.clock.advance("1s");
  await end("Failed");
  expect(await status()).toMatchObject({ failed: 3 });
  expect(await conditions()).toEqual([
    "FailureTarget True BackoffLimitExceeded",
    "Failed True BackoffLimitExceeded",
  ]);
  expect((await w.events("Job")).at(-1)).toBe(
    "BackoffLimitExceeded: Job has reached the specified backoff limit",
  );
});

test("a Job that runs too long is ended when its pods are", async () => {
  await w.cluster.create(job({ activeDeadlineSeconds: 60 }));
  await w.runAll();
  await w.cluster.clock.advance("1m");
  expect(await conditions()).toEqual(["FailureTarget True DeadlineExceeded"]);
  expect(await status()).toMatchObject({ terminating: 1 });
  await w.removeTerminating();
  expect(await conditions()).toEqual(["FailureTarget True DeadlineExceeded", "Failed True DeadlineExceeded"]);
});

describe("an Indexed Job", () => {
  const indexed = (spec: JsonObject = {}) =>
    job({ completionMode: "Indexed", completions: 4, parallelism: 4, ...spec });

  test("gives each pod its index", async () => {
    await w.cluster.create(indexed());
    const pods = await active();
    expect(pods.map(indexOf).toSorted()).toEqual(["0", "1", "2", "3"]);
    const first = pods.find((pod) => indexOf(pod) === "0");
    expect(first?.metadata).toMatchObject({
      generateName: "sum-0-",
      labels: { "batch.kubernetes.io/job-completion-index": "0" },
    });
    const fieldRef = {
      apiVersion: "v1",
      fieldPath: "metadata.labels['batch.kubernetes.io/job-completion-index']",
    };
    expect(first?.["spec"]).toMatchObject({
      hostname: "sum-0",
      containers: [{ env: [{ name: "JOB_COMPLETION_INDEX", valueFrom: { fieldRef } }] }],
    });
    await end("Succeeded", (pod) => indexOf(pod) !== "1");
    expect(await status()).toMatchObject({ succeeded: 3, completedIndexes: "0,2,3" });
    await end("Succeeded");
    expect(await status()).toMatchObject({ succeeded: 4, completedIndexes: "0-3" });
    expect(await conditions()).toContain("Complete True CompletionsReached");
  });

  test("fails indexes by themselves", async () => {
    await w.cluster.create(indexed({ completions: 2, backoffLimitPerIndex: 1 }));
    await end("Failed", (pod) => indexOf(pod) === "0");
    expect(await active()).toHaveLength(1);
    await w.cluster.clock.advance("10s");
    const again = (await active()).find((pod) => indexOf(pod) === "0");
    expect(again?.metadata.annotations).toMatchObject({ "batch.kubernetes.io/job-index-failure-count": "1" });
    await end("Failed", (pod) => indexOf(pod) === "0");
    await end("Succeeded");
    expect(await status()).toMatchObject({
      succeeded: 1,
      failed: 2,
      completedIndexes: "1",
      failedIndexes: "0",
    });
    expect(await conditions()).toEqual(["FailureTarget True FailedIndexes", "Failed True FailedIndexes"]);
  });

  test("replaces a deleted pod of an index with a limit once the pod has failed", async () => {
    await w.cluster.create(
      indexed({ completions: 1, backoffLimitPerIndex: 1, podReplacementPolicy: "Failed" }),
    );
    await w.runAll();
    const [deleted] = await w.pods();
    await w.cluster.delete("v1", "Pod", deleted?.metadata.name ?? "");
    await w.cluster.clock.advance("10s");
    expect(await w.pods()).toHaveLength(1);
    if (deleted !== undefined) await w.finish(deleted, "Failed");
    await w.removeTerminating();
    expect(await active()).toHaveLength(0);
    await w.cluster.clock.advance("10s");
    const pods = await w.pods();
    expect(pods.map(({ metadata }) => metadata.annotations)).toMatchObject([
      { "batch.kubernetes.io/job-index-failure-count": "1" },
    ]);
    expect(await status()).toMatchObject({ active: 1, failed: 1 });
  });

  test("ends early by its success policy", async () => {
    await w.cluster.create(
      indexed({ successPolicy: { rules: [{ succeededIndexes: "0-1", succeededCount: 1 }] } }),
    );
    await end("Succeeded", (pod) => indexOf(pod) === "1");
    await w.removeTerminating();
    expect(await conditions()).toEqual([
      "SuccessCriteriaMet True SuccessPolicy",
      "Complete True SuccessPolicy",
    ]);
  });
});

describe("a pod failure policy", () => {
  const onExitCodes = { operator: "In", values: [1] };

  test("fails the Job", async () => {
    await w.cluster.create(job({ podFailurePolicy: { rules: [{ action: "FailJob", onExitCodes }] } }));
    const [pod] = await active();
    await end("Failed");
    expect(await conditions()).toEqual([
      "FailureTarget True PodFailurePolicy",
      "Failed True PodFailurePolicy",
    ]);
    expect((await w.events("Job")).at(-1)).toBe(
      `PodFailurePolicy: Container main for pod default/${pod?.metadata.name} failed with exit code 1 matching FailJob rule at index 0`,
    );
  });

  test("ignores a failure", async () => {
    await w.cluster.create(
      job({ backoffLimit: 0, podFailurePolicy: { rules: [{ action: "Ignore", onExitCodes }] } }),
    );
    await end("Failed");
    await w.cluster.clock.advance("10s");
    await end("Succeeded");
    expect(await status()).toMatchObject({ succeeded: 1 });
    expect(await status()).not.toHaveProperty("failed");
  });
});

test("a suspended Job has no pods until it is resumed", async () => {
  await w.cluster.create(job({ suspend: true }));
  expect(await active()).toHaveLength(0);
  expect(await conditions()).toEqual(["Suspended True JobSuspended"]);
  await w.cluster.patch("batch/v1", "Job", "sum", { spec: { suspend: false } });
  expect(await active()).toHaveLength(1);
  expect(await conditions()).toEqual(["Suspended False JobResumed"]);
  await w.cluster.patch("batch/v1", "Job", "sum", { spec: { suspend: true } });
  await w.removeTerminating();
  expect(await w.pods()).toEqual([]);
  const events = await w.events("Job");
  expect(events).toContain("Suspended: Job suspended");
  expect(events).toContain("Resumed: Job resumed");
});

test.each(["1.31", "1.32", "1.36"] as const)(
  "a Job of %s starts again after it was suspended",
  async (release) => {
    const old = new Workloads({ release });
    const statusNow = () => old.status("batch/v1", "Job", "sum");
    const suspend = (is: boolean) => old.cluster.patch("batch/v1", "Job", "sum", { spec: { suspend: is } });
    await old.cluster.create(job());
    await old.runAll();
    const start = old.now();
    await suspend(true);
    await old.removeTerminating();
    expect((await statusNow())["startTime"]).toBe(release === "1.36" ? undefined : start);
    await old.cluster.clock.advance("1m");
    await suspend(false);
    expect(await statusNow()).toMatchObject({
      active: 1,
      startTime: old.now(),
      conditions: [{ type: "Suspended", status: "False", reason: "JobResumed" }],
    });
    await old.cluster.close();
  },
);

test("a suspended Job without work completes", async () => {
  await w.cluster.create(job({ suspend: true, completions: 0 }));
  expect(await conditions()).toContain("Complete True CompletionsReached");
});

test("the finalizers of the template stay, and that of the Job comes last", async () => {
  const metadata = { finalizers: ["example.com/a"] };
  const spec = { restartPolicy: "Never", containers: [{ name: "main", image: "i" }] };
  await w.cluster.create(job({ template: { metadata, spec } }));
  const finalizers = ["example.com/a", "batch.kubernetes.io/job-tracking"];
  expect((await w.pods())[0]?.metadata.finalizers).toEqual(finalizers);
});

test("too many pods are deleted by their state and not by their cost", async () => {
  await w.cluster.create(job({ parallelism: 2 }));
  const [cheap, dear] = await w.pods();
  const cost = { "controller.kubernetes.io/pod-deletion-cost": "-1" };
  await w.cluster.patch("v1", "Pod", cheap?.metadata.name ?? "", { metadata: { annotations: cost } });
  if (cheap !== undefined) await w.run(cheap);
  await w.cluster.patch("batch/v1", "Job", "sum", { spec: { parallelism: 1 } });
  const left = (await w.pods()).filter(({ metadata }) => !metadata.deletionTimestamp);
  expect(left.map(({ metadata }) => metadata.name)).toEqual([cheap?.metadata.name]);
  expect(dear).toBeDefined();
});

/** Upstream: `DefaultJobApiBackOff` and `MaxJobApiBackOff` (pkg/controller/job/job_controller.go). */
test("a refused pod is tried again after 1, 2, 4 seconds and so on, and at least every minute", async () => {
  const quota = { apiVersion: "v1", kind: "ResourceQuota", metadata: { name: "q" } };
  await w.cluster.create({ ...quota, spec: { hard: { pods: "0" } } });
  await w.cluster.settle();
  await w.cluster.create(job());
  const refusals = async () =>
    (await w.events("Job")).filter((event) => event.startsWith("FailedCreate: Error creating: pods "));
  await w.cluster.clock.advance("31s");
  expect(await refusals()).toHaveLength(6);
  await w.cluster.clock.advance("1h");
  await w.cluster.patch("v1", "ResourceQuota", "q", { spec: { hard: { pods: "1" } } });
  await w.cluster.clock.advance("1m");
  expect(await active()).toHaveLength(1);
});

test("the pods of a deleted Job are not kept", async () => {
  await w.cluster.create(job());
  await w.runAll();
  await w.cluster.delete("batch/v1", "Job", "sum", { propagationPolicy: "Background" });
  await w.removeTerminating();
  expect(await w.pods()).toEqual([]);
});

test("a Job of another manager is left alone", async () => {
  await w.cluster.create(job({ managedBy: "example.com/other" }));
  expect(await w.pods()).toEqual([]);
  expect(await status()).toEqual({});
});

/** Upstream: `getStatus` (pkg/controller/job/job_controller.go) of 1.24. */
describe("without finalizers", () => {
  const untracked = (release: string, gate?: boolean) =>
    new Workloads({
      release,
      ...(gate !== undefined && { featureGates: { JobTrackingWithFinalizers: gate } }),
    });
  const statusOf = (old: Workloads) => old.status("batch/v1", "Job", "sum");
  const endAll = async (old: Workloads, phase: "Succeeded" | "Failed") => {
    for (const pod of await old.pods())
      if (phaseOf(pod) === "Pending" && !pod.metadata.deletionTimestamp) await old.finish(pod, phase);
    await old.cluster.settle();
  };

  test.each([
    ["1.16", undefined, false],
    ["1.22", undefined, false],
    ["1.22", true, true],
    ["1.24", undefined, false],
    ["1.25", undefined, true],
    ["1.25", false, false],
    ["1.29", undefined, true],
  ] as const)("in %s with the gate %s, pods are tracked: %s", async (release, gate, isTracked) => {
    const old = untracked(release, gate);
    await old.cluster.create(job());
    const [pod] = await old.pods();
    expect(pod?.metadata.finalizers).toEqual(isTracked ? ["batch.kubernetes.io/job-tracking"] : undefined);
    expect("uncountedTerminatedPods" in (await statusOf(old))).toBe(isTracked);
    await endAll(old, "Succeeded");
    expect(await statusOf(old)).toMatchObject({ succeeded: 1, completionTime: old.now() });
    await old.cluster.close();
  });

  test("pods count as long as they exist", async () => {
    const old = untracked("1.20");
    await old.cluster.create(job({ completions: 3, parallelism: 2 }));
    await endAll(old, "Succeeded");
    expect(await statusOf(old)).toEqual({ active: 1, succeeded: 2, startTime: old.now() });
    const [first] = await old.pods();
    if (first !== undefined) await old.remove(first);
    expect(await statusOf(old)).toEqual({ active: 2, succeeded: 1, startTime: old.now() });
    await endAll(old, "Succeeded");
    const time = old.now();
    expect(await statusOf(old)).toEqual({
      succeeded: 3,
      startTime: time,
      completionTime: time,
      conditions: [{ type: "Complete", status: "True", lastProbeTime: time, lastTransitionTime: time }],
    });
    expect((await old.events("Job")).at(-1)).toBe("Completed: Job completed");
    await old.cluster.close();
  });

  test("pods that the end of a Job deletes have failed, and others that are deleted have not", async () => {
    const old = untracked("1.22");
    await old.cluster.create(
      job({ completions: 3, parallelism: 3, activeDeadlineSeconds: 60, backoffLimit: 0 }),
    );
    const [first] = await old.pods();
    if (first !== undefined) {
      await old.run(first);
      await old.cluster.delete("v1", "Pod", first.metadata.name ?? "");
    }
    const started = old.now();
    expect(await statusOf(old)).toEqual({ active: 3, startTime: started });
    expect(await old.pods()).toHaveLength(4);
    await old.cluster.clock.advance("60s");
    expect(await statusOf(old)).toMatchObject({
      failed: 3,
      startTime: started,
      conditions: [{ type: "Failed", status: "True", reason: "DeadlineExceeded" }],
    });
    expect(await statusOf(old)).not.toHaveProperty("active");
    await old.cluster.close();
  });

  test("a failed pod that is deleted no longer counts toward the limit", async () => {
    const old = untracked("1.22");
    await old.cluster.create(job({ backoffLimit: 1 }));
    const fail = async () => {
      await endAll(old, "Failed");
      await old.cluster.clock.advance("10m");
      await old.cluster.settle();
    };
    await fail();
    expect(await statusOf(old)).toMatchObject({ active: 1, failed: 1 });
    const failed = (await old.pods()).find((pod) => phaseOf(pod) === "Failed");
    if (failed !== undefined) await old.remove(failed);
    expect(await statusOf(old)).not.toHaveProperty("failed");
    await fail();
    expect(await statusOf(old)).toMatchObject({ active: 1, failed: 1 });
    await fail();
    expect(await statusOf(old)).toMatchObject({
      failed: 2,
      conditions: [{ type: "Failed", reason: "BackoffLimitExceeded" }],
    });
    await old.cluster.close();
  });

  test.each([
    ["1.21", "sum-", undefined],
    ["1.22", "sum-0-", "sum-0"],
  ] as const)(
    "in %s, indexes that have no pod any more are pending again",
    async (release, name, hostname) => {
      const old = new Workloads({ release, featureGates: { IndexedJob: true } });
      await old.cluster.create(job({ completions: 2, parallelism: 2, completionMode: "Indexed" }));
      const [first] = (await old.pods()).filter((pod) => indexOf(pod) === "0");
      expect(first?.metadata.generateName).toBe(name);
      if (first === undefined) throw new Error("a pod");
      expect((first["spec"] as JsonObject)["hostname"]).toBe(hostname);
      await old.finish(first, "Succeeded");
      expect(await statusOf(old)).toMatchObject({ active: 1, succeeded: 1, completedIndexes: "0" });
      await old.remove(first);
      const again = await statusOf(old);
      expect([again["active"], again["succeeded"], again["completedIndexes"]]).toEqual([
        2,
        undefined,
        undefined,
      ]);
      await old.cluster.close();
    },
  );
});
