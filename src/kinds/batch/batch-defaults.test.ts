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
    ["runs its completions one after the other", { completions: 5 }, { parallelism: 1, completions: 5 }],
    ["may have no backoff", { backoffLimit: 0 }, { backoffLimit: 0 }],
    ["counts failures by index alone", { backoffLimitPerIndex: 1 }, { backoffLimit: 2147483647 }],
    [
      "replaces failed pods under a policy",
      { podFailurePolicy },
      { podReplacementPolicy: "Failed", podFailurePolicy: filledPolicy },
    ],
  ])("%s", (_, spec, expected) =>
    expect(defaulted("batch/v1/Job", { spec })).toMatchObject({ spec: expected }),
  );

  test("with parallelism alone ends with the first success", () => {
    const { spec } = defaulted("batch/v1/Job", { spec: { parallelism: 3 } });
    expect(spec).toMatchObject({ parallelism: 3 });
    expect(spec).not.toHaveProperty("completions");
  });

  test("is labelled as its pods are, unless it has labels", () => {
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
  test("keeps three successes and one failure", () => {
    expect(defaulted(`${version}/CronJob`, {}, release)).toMatchObject({
      spec: {
        concurrencyPolicy: "Allow",
        suspend: false,
        successfulJobsHistoryLimit: 3,
        failedJobsHistoryLimit: 1,
      },
    });
  });

  test("defaults the pods of its jobs, but not the jobs", () => {
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

test("a CronJob's jobs fail on conditions that are true", () => {
  const spec = { jobTemplate: { spec: { podFailurePolicy } } };
  expect(defaulted("batch/v1/CronJob", { spec })).toMatchObject({
    spec: { jobTemplate: { spec: { podFailurePolicy: filledPolicy } } },
  });
});
