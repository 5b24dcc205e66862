import { afterEach, beforeEach, expect, test } from "vitest";
import type { JsonObject, KubeObject } from "../../src/index.ts";
import { Workloads } from "./workloads.ts";

let w: Workloads;
beforeEach(() => {
  w = new Workloads();
});
afterEach(() => w.cluster.close());

const time = "2026-01-01T00:00:00Z";
const labels = { app: "sum" };
const template = {
  metadata: { labels },
  spec: { restartPolicy: "Never", containers: [{ name: "main", image: "i" }] },
};

function job(spec: JsonObject, status: JsonObject): JsonObject {
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name: "sum", namespace: "default", uid: "job", creationTimestamp: time },
    spec: { manualSelector: true, selector: { matchLabels: labels }, template, backoffLimit: 6, ...spec },
    status: { startTime: time, ...status },
  };
}

interface Sketch {
  readonly phase?: string;
  readonly index?: number;
  readonly failures?: number;
  readonly isTerminating?: boolean;
  readonly endedAt?: string;
  readonly exitCode?: number;
  readonly restarts?: number;
  readonly isReady?: boolean;
}

function pod(name: string, sketch: Sketch): JsonObject {
  const { phase = "Running", index, failures, isTerminating, isReady, endedAt = time } = sketch;
  const { exitCode = 1, restarts = 0 } = sketch;
  const annotations = {
    ...(index !== undefined && { "batch.kubernetes.io/job-completion-index": String(index) }),
    ...(failures !== undefined && { "batch.kubernetes.io/job-index-failure-count": String(failures) }),
  };
  const owner = { apiVersion: "batch/v1", kind: "Job", name: "sum", uid: "job" };
  const state =
    phase === "Failed" ? { terminated: { exitCode, finishedAt: endedAt } } : { running: { startedAt: time } };
  const container = { name: "main", image: "i", imageID: "", ready: true, restartCount: restarts, state };
  const ready = { type: "Ready", status: "True", lastTransitionTime: time };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      namespace: "default",
      uid: name,
      creationTimestamp: time,
      labels,
      annotations,
      finalizers: ["batch.kubernetes.io/job-tracking"],
      ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }],
      ...(isTerminating && { deletionTimestamp: time, deletionGracePeriodSeconds: 30 }),
    },
    spec: { ...template.spec, nodeName: "node-1" },
    status: { phase, containerStatuses: [container], ...(isReady && { conditions: [ready] }) },
  };
}

/** The pods, as `name` or, for created ones, `new`, with `!` if they terminate, and their index. */
async function outcome(): Promise<string> {
  const pods = await w.pods();
  return pods
    .map(({ metadata: { name = "", deletionTimestamp, annotations = {} } }: KubeObject) => {
      const index = annotations["batch.kubernetes.io/job-completion-index"];
      const shown = name.startsWith("sum-") ? "new" : name;
      return `${shown}${deletionTimestamp ? "!" : ""}${index === undefined ? "" : `@${index}`}`;
    })
    .join(" ");
}

const onExitCode = { onExitCodes: { operator: "In", values: [5] } };
const noReplacement = { podReplacementPolicy: "Failed" };
const perIndex = { completionMode: "Indexed", backoffLimit: 2 ** 31 - 1 };

interface Expected {
  readonly pods: string;
  readonly status: JsonObject;
  readonly reasons?: readonly string[];
}

/** Cells of kubernetes, pkg/controller/job/job_controller_test.go and indexed_job_utils_test.go. */
test.each<[string, JsonObject, JsonObject, { readonly [name: string]: Sketch }, Expected]>([
  [
    "a pod that terminates is replaced at once",
    { completions: 2, parallelism: 2 },
    {},
    { a: { isTerminating: true }, b: {} },
    { pods: "a! b new", status: { active: 2, failed: 1, terminating: 1 } },
  ],
  [
    "or when it has failed, as the policy says",
    { completions: 2, parallelism: 2, ...noReplacement },
    {},
    { a: { isTerminating: true }, b: {} },
    { pods: "a! b", status: { active: 1, terminating: 1 } },
  ],
  [
    "the last success of a Job without completions lets the others run",
    { parallelism: 3 },
    {},
    { a: { phase: "Succeeded" }, b: {} },
    { pods: "a b", status: { active: 1, succeeded: 1 } },
  ],
  [
    "too many successes are a warning",
    { completions: 1, parallelism: 1 },
    {},
    { a: { phase: "Succeeded" }, b: { phase: "Succeeded" } },
    { pods: "a b", status: { succeeded: 2 }, reasons: ["CompletionsReached", "CompletionsReached"] },
  ],
  [
    "a Job ends when its last pod does",
    { completions: 1, parallelism: 1 },
    {},
    { a: { phase: "Succeeded" }, b: { isTerminating: true } },
    { pods: "a b!", status: { succeeded: 1, failed: 1, terminating: 1 }, reasons: ["CompletionsReached"] },
  ],
  [
    "of pods with the same index, the one that would be deleted last stays",
    { completionMode: "Indexed", completions: 2, parallelism: 2 },
    {},
    { a: { phase: "Pending", index: 0 }, b: { index: 0 }, c: { index: 0, isReady: true }, d: { index: 1 } },
    { pods: "a!@0 b!@0 c@0 d@1", status: { active: 2, terminating: 2 } },
  ],
  [
    "pods of no index, or of one that is too high, are deleted",
    { completionMode: "Indexed", completions: 2, parallelism: 2 },
    {},
    { a: { index: 0 }, b: { index: 2 }, c: {}, d: { index: 1 } },
    { pods: "a@0 b!@2 c! d@1", status: { active: 2, terminating: 2 } },
  ],
  [
    "fewer completions forget the indexes above them",
    { completionMode: "Indexed", completions: 2, parallelism: 2 },
    { completedIndexes: "0,2-4", succeeded: 4 },
    { a: { index: 1 } },
    { pods: "a@1", status: { active: 1, succeeded: 1, completedIndexes: "0" } },
  ],
  [
    "of failed pods with an index, the later one delays the next",
    { ...perIndex, completions: 1, parallelism: 1, backoffLimitPerIndex: 3 },
    {},
    {
      a: { index: 0, phase: "Failed", failures: 1, endedAt: "2025-12-31T23:59:00Z" },
      b: { index: 0, phase: "Failed", failures: 1 },
    },
    { pods: "a@0 b@0", status: { failed: 1 } },
  ],
  [
    "the limit of failed indexes ends a Job",
    { ...perIndex, completions: 4, parallelism: 3, backoffLimitPerIndex: 0, maxFailedIndexes: 1 },
    {},
    { a: { index: 0, phase: "Failed" }, b: { index: 1, phase: "Failed" }, c: { index: 2 } },
    {
      pods: "a@0 b@1 c!@2",
      status: { failed: 3, failedIndexes: "0,1" },
      reasons: ["MaxFailedIndexesExceeded"],
    },
  ],
  [
    "a rule of the failure policy comes before the limit",
    {
      backoffLimit: 0,
      ...noReplacement,
      podFailurePolicy: { rules: [{ action: "FailJob", ...onExitCode }] },
    },
    {},
    { a: { phase: "Failed", exitCode: 5 }, b: {} },
    { pods: "a b!", status: { failed: 2 }, reasons: ["PodFailurePolicy"] },
  ],
  [
    "the limit comes before the success policy",
    {
      completionMode: "Indexed",
      completions: 3,
      parallelism: 3,
      backoffLimit: 0,
      successPolicy: { rules: [{ succeededIndexes: "0" }] },
    },
    {},
    { a: { index: 0, phase: "Succeeded" }, b: { index: 1, phase: "Failed" } },
    { pods: "a@0 b@1", status: { failed: 1 }, reasons: ["BackoffLimitExceeded", "BackoffLimitExceeded"] },
  ],
  [
    "restarts count toward the limit if containers are restarted",
    {
      backoffLimit: 2,
      template: { ...template, spec: { ...template.spec, restartPolicy: "OnFailure" } },
    },
    {},
    { a: { restarts: 2 } },
    { pods: "a!", status: { failed: 1 }, reasons: ["BackoffLimitExceeded"] },
  ],
])("%s", async (_title, spec, status, pods, expected) => {
  const found = Object.entries(pods).map(([name, sketch]) => pod(name, sketch));
  await w.cluster.load([job(spec, status), ...found]);
  expect(await outcome()).toBe(expected.pods);
  const { conditions, ...counts } = await w.status("batch/v1", "Job", "sum");
  expect(counts).toMatchObject(expected.status);
  const reasons = ((conditions ?? []) as readonly JsonObject[]).map(({ reason }) => reason);
  expect(reasons).toEqual(expected.reasons ?? []);
});

test("a failed pod above the completions loses its finalizer", async () => {
  const spec = { ...perIndex, completions: 1, parallelism: 1, backoffLimitPerIndex: 3 };
  await w.cluster.load([job(spec, {}), pod("a", { index: 0 }), pod("b", { index: 1, phase: "Failed" })]);
  const finalizers = (await w.pods()).map(({ metadata }) => metadata.finalizers);
  expect(finalizers).toEqual([["batch.kubernetes.io/job-tracking"], undefined]);
});
