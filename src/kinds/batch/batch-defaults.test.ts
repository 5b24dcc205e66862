import { describe, expect, test } from "vitest";
import { defaulted } from "../../../test/registry/defaulted.ts";
import type { JsonObject } from "../../apimachinery/json.ts";

const onPodConditions = [{ type: "x" }, { type: "y", status: "False" }];
const podFailurePolicy = { rules: [{ action: "Ignore", onPodConditions }] };
const filledPolicy = { rules: [{ onPodConditions: [{ status: "True" }, { status: "False" }] }] };

describe("a Job", () => {
  test.each<[title: string, sent: JsonObject, expected: JsonObject]>([
    [
      "runs one pod",
      {},
      {
        parallelism: 1,
        completions: 1,
        backoffLimit: 6,
        manualSelector: false,
        completionMode: "NonIndexed",
        suspend: false,
        podReplacementPolicy: "TerminatingOrFailed",
        template: { spec: { dnsPolicy: "ClusterFirst" } },
      },
    ],
    ["runs its completions sequentially", { completions: 5 }, { parallelism: 1, completions: 5 }],
    ["keeps a backoff limit of zero", { backoffLimit: 0 }, { backoffLimit: 0 }],
    [
      "has no backoff limit when it has one per index",
      { backoffLimitPerIndex: 1 },
      { backoffLimit: 2147483647 },
    ],
    [
      "replaces failed pods when it has a pod failure policy",
      { podFailurePolicy },
      { podReplacementPolicy: "Failed", podFailurePolicy: filledPolicy },
    ],
  ])("%s", (_, spec, expected) =>
    expect(defaulted("batch/v1/Job", { spec })).toMatchObject({ spec: expected }),
  );

  test("has no default for completions when only its parallelism is set", () => {
    const { spec } = defaulted("batch/v1/Job", { spec: { parallelism: 3 } });
    expect(spec).toMatchObject({ parallelism: 3 });
    expect(spec).not.toHaveProperty("completions");
  });

  test("gets the labels of its pod template, unless it has labels", () => {
    const spec = { template: { metadata: { labels: { a: "b" } } } };
    expect(defaulted("batch/v1/Job", { spec })).toMatchObject({ metadata: { labels: { a: "b" } } });
    expect(defaulted("batch/v1/Job", { metadata: { labels: {} }, spec })).toMatchObject({
      metadata: { labels: { a: "b" } },
    });
    const labelled = defaulted("batch/v1/Job", { metadata: { labels: { c: "d" } }, spec });
    expect(labelled["metadata"]).toMatchObject({ labels: { c: "d" } });
  });
});

describe.each([
  ["batch/v1", "1.32"],
  ["batch/v1beta1", "1.24"],
])("a CronJob of %s", (version, release) => {
  test("keeps three successful Jobs and one failed Job", () => {
    expect(defaulted(`${version}/CronJob`, {}, release)).toMatchObject({
      spec: {
        concurrencyPolicy: "Allow",
        suspend: false,
        successfulJobsHistoryLimit: 3,
        failedJobsHistoryLimit: 1,
      },
    });
  });

  test("gets defaults for the pods of its Jobs, but not for the Jobs", () => {
    const spec = {
      jobTemplate: { spec: { template: { spec: { containers: [{ name: "c", image: "x" }] } } } },
    };
    const cronJob = defaulted(`${version}/CronJob`, { spec }, release);
    expect(cronJob).toMatchObject({
      spec: {
        jobTemplate: { spec: { template: { spec: { containers: [{ imagePullPolicy: "Always" }] } } } },
      },
    });
    expect(cronJob).not.toHaveProperty("spec.jobTemplate.spec.backoffLimit");
  });
});

test("the pod failure policy of a CronJob matches conditions with the status True", () => {
  const spec = { jobTemplate: { spec: { podFailurePolicy } } };
  expect(defaulted("batch/v1/CronJob", { spec })).toMatchObject({
    spec: { jobTemplate: { spec: { podFailurePolicy: filledPolicy } } },
  });
});
