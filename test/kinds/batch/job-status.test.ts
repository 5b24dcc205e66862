import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/apimachinery/json.ts";
import type { Findings } from "../../../src/apimachinery/validation/findings.ts";
import { featureGates } from "../../../src/catalog/feature-gates.ts";
import { addJobStatusErrors } from "../../../src/kinds/batch/job/job-status-validation.ts";
import { quietCluster, testClient } from "../../registry/test-client.ts";
import { job } from "../../registry/workloads.ts";

const path = "/apis/batch/v1/namespaces/default/jobs";
const started = "2020-01-01T00:00:00Z";
const ended = "2020-01-02T00:00:00Z";

/** Conditions that are true. */
function is(...types: readonly string[]): { readonly conditions: readonly JsonObject[] } {
  return { conditions: types.map((type) => ({ type, status: "True" })) };
}

const complete = { ...is("SuccessCriteriaMet", "Complete"), startTime: started, completionTime: ended };
const failed = { ...is("FailureTarget", "Failed"), startTime: started };

const goTime = "2020-01-02 00:00:00 +0000 UTC";
const nonnegative = "must be greater than or equal to 0";

interface Case {
  readonly spec?: object;
  readonly before?: object;
  readonly status: object;
  readonly findings: readonly string[];
}

test.each<[title: string, transition: Case]>([
  ["completes", { status: complete, findings: [] }],
  ["fails", { status: failed, findings: [] }],
  [
    "counts negative numbers",
    {
      status: { active: 0, succeeded: -1, failed: -1, ready: -1, terminating: -1 },
      findings: [
        `status.succeeded: Invalid value: -1: ${nonnegative}`,
        `status.failed: Invalid value: -1: ${nonnegative}`,
        `status.ready: Invalid value: -1: ${nonnegative}`,
        `status.terminating: Invalid value: -1: ${nonnegative}`,
        "status.failed: Invalid value: -1: cannot decrease the failed counter",
        "status.succeeded: Invalid value: -1: cannot decrease the succeeded counter",
      ],
    },
  ],
  [
    "has empty pod names, or duplicate ones",
    {
      status: { uncountedTerminatedPods: { succeeded: ["", "a"], failed: ["a"] } },
      findings: [
        'status.uncountedTerminatedPods.succeeded[0]: Invalid value: "": must not be empty',
        'status.uncountedTerminatedPods.failed[0]: Duplicate value: "a"',
      ],
    },
  ],
  [
    "completes and fails",
    {
      status: { ...complete, ...is("SuccessCriteriaMet", "Complete", "FailureTarget", "Failed") },
      findings: [
        "status.conditions: Invalid value: cannot set Complete=True and Failed=true conditions",
        "status.conditions: Invalid value: cannot set Complete=True and FailureTarget=true conditions",
        "status.conditions: Invalid value: cannot set SuccessCriteriaMet=True and Failed=true conditions",
        "status.conditions: Invalid value: cannot set SuccessCriteriaMet=True and FailureTarget=true conditions",
      ],
    },
  ],
  [
    "completes without a cause, a time or an end",
    {
      status: { ...is("Complete"), active: 1, uncountedTerminatedPods: { succeeded: ["a"] }, terminating: 1 },
      findings: [
        "status.completionTime: Required value: completionTime is required for Complete jobs",
        "status.conditions: Invalid value: cannot set Complete=True condition without the SuccessCriteriaMet=true condition",
        "status.active: Invalid value: 1: active>0 is invalid for finished job",
        "status.startTime: Required value: startTime is required for finished job",
        'status.uncountedTerminatedPods: Invalid value: batch.UncountedTerminatedPods{Succeeded:[]types.UID{"a"}, Failed:[]types.UID(nil)}: must be empty for finished job',
        "status.terminating: Invalid value: 1: terminating>0 is invalid for finished job",
      ],
    },
  ],
  [
    "has a time of completion and is not complete",
    {
      status: { startTime: started, completionTime: ended },
      findings: [
        `status.completionTime: Invalid value: ${goTime}: cannot set completionTime when there is no Complete=True condition`,
      ],
    },
  ],
  [
    "completes before it starts",
    {
      status: { ...complete, startTime: "2020-01-03T00:00:00Z" },
      findings: [`status.completionTime: Invalid value: ${goTime}: must be equal to or after \`startTime\``],
    },
  ],
  [
    "fails without a cause",
    {
      status: { ...failed, ...is("Failed") },
      findings: [
        "status.conditions: Invalid value: cannot set Failed=True condition without the FailureTarget=true condition",
      ],
    },
  ],
  [
    "has more pods ready than active",
    {
      status: { ready: 2, active: 1 },
      findings: ["status.ready: Invalid value: 2: cannot set more ready pods than active"],
    },
  ],
  [
    "has indexes and no index",
    {
      status: { completedIndexes: "0", failedIndexes: "0" },
      findings: [
        'status.completedIndexes: Invalid value: "0": cannot set non-empty completedIndexes when non-indexed completion mode',
        'status.failedIndexes: Invalid value: "0": cannot set non-null failedIndexes when backoffLimitPerIndex is null',
        'status.failedIndexes: Invalid value: "0": failedIndexes and completedIndexes overlap at index: 0',
      ],
    },
  ],
  [
    "has indexes that cannot be parsed",
    {
      spec: { completionMode: "Indexed", completions: 3, backoffLimitPerIndex: 1 },
      status: { completedIndexes: "5", failedIndexes: "x" },
      findings: [
        'status.completedIndexes: Invalid value: "5": error parsing completedIndexes: too large index: "5"',
        'status.failedIndexes: Invalid value: "x": error parsing failedIndexes: cannot convert string to integer for index: "x"',
      ],
    },
  ],
  [
    "completes without meeting its success policy",
    {
      spec: {
        completionMode: "Indexed",
        completions: 3,
        successPolicy: { rules: [{ succeededCount: 1 }] },
      },
      status: { ...complete, ...is("Complete") },
      findings: [
        "status.conditions: Invalid value: cannot set Complete=True condition without the SuccessCriteriaMet=true condition",
        "status.conditions: Invalid value: cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True",
      ],
    },
  ],
  [
    "is no longer complete",
    {
      before: complete,
      status: { conditions: [], completionTime: null },
      findings: [
        "status.conditions: Invalid value: cannot disable the terminal Complete=True condition",
        "status.conditions: Invalid value: cannot disable the SuccessCriteriaMet=True condition",
      ],
    },
  ],
  [
    "has no longer failed",
    {
      before: failed,
      status: { conditions: [] },
      findings: [
        "status.conditions: Invalid value: cannot disable the terminal Failed=True condition",
        "status.conditions: Invalid value: cannot disable the terminal FailureTarget=True condition",
      ],
    },
  ],
  [
    "decreases its counts, and resets its start time",
    {
      before: { startTime: started, succeeded: 2, failed: 2 },
      status: { startTime: null, succeeded: 1, failed: 1 },
      findings: [
        "status.failed: Invalid value: 1: cannot decrease the failed counter",
        "status.succeeded: Invalid value: 1: cannot decrease the succeeded counter",
        "status.startTime: Required value: startTime cannot be removed for unsuspended job",
      ],
    },
  ],
  [
    "completed at another time",
    {
      before: complete,
      status: { completionTime: "2020-01-04T00:00:00Z" },
      findings: ["status.completionTime: Invalid value: 2020-01-04 00:00:00 +0000 UTC: field is immutable"],
    },
  ],
  [
    "forgets successes when it scales",
    {
      spec: { completionMode: "Indexed", completions: 3, parallelism: 3 },
      before: { succeeded: 2 },
      status: { succeeded: 1 },
      findings: [],
    },
  ],
  [
    "resets its start time when it is suspended",
    { spec: { suspend: true }, before: { startTime: started }, status: { startTime: null }, findings: [] },
  ],
  [
    "starts again when it is resumed",
    {
      before: { ...is("Suspended"), startTime: started },
      status: { conditions: [{ type: "Suspended", status: "False" }], startTime: ended },
      findings: [],
    },
  ],
  [
    "has nothing to do, and completes without a start while it is suspended",
    {
      spec: { suspend: true, completions: 0 },
      status: { ...complete, startTime: null },
      findings: [],
    },
  ],
])("a Job that %s", async (_title, { spec = {}, before, status, findings }) => {
  const send = testClient(quietCluster());
  await send("POST", path, job("j", spec));
  if (before !== undefined) {
    expect((await send("PATCH", `${path}/j/status`, { status: before })).findings).toEqual([]);
  }
  expect((await send("PATCH", `${path}/j/status`, { status })).findings).toEqual(findings);
});

test("an invalid status is accepted as long as only the server manages Jobs", async () => {
  for (const [release, code] of [
    ["1.31", 200],
    ["1.32", 422],
  ] as const) {
    const send = testClient(quietCluster({ release }));
    await send("POST", path, job("j"));
    expect((await send("PATCH", `${path}/j/status`, { status: is("Complete") })).code).toBe(code);
  }
});

test("a Job that completed without a cause cannot get one later", () => {
  const jobOf = (...types: readonly string[]) => ({
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {},
    spec: {},
    status: { ...complete, ...is(...types) },
  });
  const gates = featureGates("1.32");
  const errors: Findings = [];
  addJobStatusErrors(errors, jobOf("Complete", "SuccessCriteriaMet"), jobOf("Complete"), gates);
  expect(errors.map(({ body }) => body)).toEqual([
    "Invalid value: cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions",
  ]);
});
