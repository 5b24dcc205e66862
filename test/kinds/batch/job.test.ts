import { describe, expect, test } from "vitest";
import { quietCluster, testClient } from "../../registry/test-client.ts";
import { job, mismatch, nameAdvice, podTemplate } from "../../registry/workloads.ts";

const path = "/apis/batch/v1/namespaces/default/jobs";
const nonnegative = "must be greater than or equal to 0";
const orphanAdvice =
  "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning";

/** An Indexed Job of ten, with changes to its spec. */
function indexed(spec: object = {}): object {
  return { completionMode: "Indexed", completions: 10, ...spec };
}

describe("a Job is refused for", () => {
  test.each<[title: string, spec: object, findings: readonly string[]]>([
    [
      "an empty template",
      { template: {} },
      [
        "spec.template.spec.containers: Required value",
        'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
      ],
    ],
    [
      "pods that never end",
      { template: podTemplate({ restartPolicy: "Always" }) },
      ['spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'],
    ],
    [
      "an invalid policy",
      { template: podTemplate({ restartPolicy: "Zed" }, {}) },
      ['"Always", "OnFailure", "Never"', '"OnFailure", "Never"'].map(
        (choices) =>
          `spec.template.spec.restartPolicy: Unsupported value: "Zed": supported values: ${choices}`,
      ),
    ],
    [
      "a missing manual selector",
      { manualSelector: true },
      [
        "spec.selector: Required value",
        `spec.template.metadata.labels: Invalid value: map[string]string{}: ${mismatch}`,
      ],
    ],
    [
      "negative numbers, and unknown modes",
      {
        parallelism: -1,
        completions: -1,
        activeDeadlineSeconds: -1,
        backoffLimit: -1,
        ttlSecondsAfterFinished: -1,
        completionMode: "Q",
        podReplacementPolicy: "Z",
      },
      [
        `spec.parallelism: Invalid value: -1: ${nonnegative}`,
        `spec.completions: Invalid value: -1: ${nonnegative}`,
        `spec.activeDeadlineSeconds: Invalid value: -1: ${nonnegative}`,
        `spec.backoffLimit: Invalid value: -1: ${nonnegative}`,
        `spec.ttlSecondsAfterFinished: Invalid value: -1: ${nonnegative}`,
        'spec.completionMode: Unsupported value: "Q": supported values: "NonIndexed", "Indexed"',
        'spec.podReplacementPolicy: Unsupported value: "Z": supported values: "Failed", "TerminatingOrFailed"',
      ],
    ],
    [
      "an empty list, which a message tells from a missing one",
      { successPolicy: { rules: [] } },
      [
        "spec.successPolicy: Invalid value: batch.SuccessPolicy{Rules:[]batch.SuccessPolicyRule{}}: requires indexed completion mode",
      ],
    ],
    [
      "fields of an Indexed Job",
      { maxFailedIndexes: -1, successPolicy: { rules: [{ succeededCount: 1 }] } },
      [
        `spec.maxFailedIndexes: Invalid value: -1: ${nonnegative}`,
        "spec.backoffLimitPerIndex: Required value: when maxFailedIndexes is specified",
        "spec.maxFailedIndexes: Invalid value: -1: requires indexed completion mode",
        "spec.successPolicy: Invalid value: batch.SuccessPolicy{Rules:[]batch.SuccessPolicyRule{batch.SuccessPolicyRule{SucceededIndexes:(*string)(nil), SucceededCount:(*int32)(0xc000000000)}}}: requires indexed completion mode",
      ],
    ],
    [
      "indexes that do not end",
      { completionMode: "Indexed", parallelism: 100_001 },
      [
        "spec.completions: Required value: when completion mode is Indexed",
        "spec.parallelism: Invalid value: 100001: must be less than or equal to 100000 when completion mode is Indexed",
      ],
    ],
    [
      "more failures than completions",
      indexed({ backoffLimitPerIndex: 1, maxFailedIndexes: 11 }),
      ["spec.maxFailedIndexes: Invalid value: 11: must be less than or equal to completions"],
    ],
    [
      "more failures than can be stored",
      indexed({
        completions: 200_000,
        parallelism: 10_001,
        backoffLimitPerIndex: 1,
        maxFailedIndexes: 100_001,
      }),
      [
        "spec.maxFailedIndexes: Invalid value: 100001: must be less than or equal to 100000",
        "spec.parallelism: Invalid value: 10001: must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index",
        "spec.maxFailedIndexes: Invalid value: 100001: must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index",
      ],
    ],
    [
      "any number of failures among many completions",
      indexed({ completions: 100_001, parallelism: 1, backoffLimitPerIndex: 1 }),
      ["spec.maxFailedIndexes: Required value: must be specified when completions is above 100000"],
    ],
    [
      "a manager without a domain",
      { managedBy: "me" },
      ['spec.managedBy: Invalid value: "me": must be a domain-prefixed path (such as "acme.io/foo")'],
    ],
    [
      "a manager of too many letters",
      { managedBy: `acme.io/${"x".repeat(56)}` },
      ["spec.managedBy: Too long: may not be more than 63 bytes"],
    ],
  ])("%s", async (_title, spec, findings) => {
    const send = testClient(quietCluster());
    expect((await send("POST", path, job("j", spec))).findings).toEqual(findings);
  });

  test("too long host names of its pods", async () => {
    const send = testClient(quietCluster());
    const name = "j".repeat(62);
    const { findings } = await send("POST", path, job(name, indexed()));
    expect(findings).toEqual([
      `metadata.name: Invalid value: "${name}": will not able to create pod with invalid DNS label: ${name}-9`,
    ]);
  });

  test("labels of another Job", async () => {
    const send = testClient(quietCluster());
    const template = podTemplate({ restartPolicy: "Never" }, { "job-name": "other" });
    const { findings } = await send("POST", path, job("j", { template }));
    expect(findings).toEqual([
      expect.stringMatching(
        /^spec\.template\.metadata\.labels\[job-name\]: Invalid value: map\[string\]string\{"batch\.kubernetes\.io\/controller-uid":.*\}: must be 'j'$/,
      ),
    ]);
  });

  test("a selector that selects more than its own pods", async () => {
    const send = testClient(quietCluster());
    const { findings } = await send("POST", path, job("j", { selector: { matchLabels: { a: "b" } } }));
    expect(findings).toEqual([
      expect.stringMatching(
        /^spec\.selector: Invalid value: v1\.LabelSelector\{.*\}: `selector` not auto-generated$/,
      ),
      expect.stringMatching(
        /^spec\.template\.metadata\.labels: Invalid value: .*: `selector` does not match/,
      ),
    ]);
  });
});

describe("a Job generates", () => {
  test("its selector, and labels of its pods and its own", async () => {
    const send = testClient(quietCluster());
    const { object } = await send("POST", path, { ...job("j"), status: { active: 3 } });
    const { uid } = object.metadata;
    const labels = {
      "batch.kubernetes.io/controller-uid": uid,
      "batch.kubernetes.io/job-name": "j",
      "controller-uid": uid,
      "job-name": "j",
    };
    expect(object.spec.selector).toEqual({
      matchLabels: { "batch.kubernetes.io/controller-uid": uid },
    });
    expect(object.spec.template.metadata.labels).toEqual(labels);
    expect(object.metadata).toMatchObject({ generation: 1, labels });
    expect(object.status).toEqual({});
  });

  test("no generated labels if it has its own", async () => {
    const send = testClient(quietCluster());
    const metadata = { name: "j", labels: { a: "b" } };
    expect((await send("POST", path, { ...job("j"), metadata })).object.metadata.labels).toEqual({ a: "b" });
  });

  test("its labels again when they are removed, and on every read", async () => {
    const send = testClient(quietCluster());
    const { object: made } = await send("POST", path, job("j"));
    const { labels } = made.spec.template.metadata;
    expect(made.metadata.labels).toEqual(labels);
    const { object: lost } = await send("PATCH", `${path}/j`, { metadata: { labels: null } });
    expect(lost.metadata).toEqual(made.metadata);
    const { object: tried } = await send("POST", `${path}?dryRun=All`, job("k"));
    expect(tried.metadata.labels).toEqual(tried.spec.template.metadata.labels);
    const put = await send("PUT", `${path}/j`, { ...made, metadata: { name: "j" } });
    expect(put.object.metadata.labels).toEqual(labels);
  });

  test("nothing with a manual selector", async () => {
    const send = testClient(quietCluster());
    const selector = { matchLabels: { a: "b" } };
    const template = podTemplate({ restartPolicy: "Never" }, { a: "b" });
    const { object } = await send("POST", path, job("j", { manualSelector: true, selector, template }));
    expect(object.spec).toMatchObject({ selector, template: { metadata: { labels: { a: "b" } } } });
  });

  test("labels that are refused only in the template", async () => {
    const send = testClient(quietCluster());
    const template = { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] } };
    const { findings } = await send("POST", path, job("j".repeat(64), { template }));
    const finding = `spec.template.labels: Invalid value: "${"j".repeat(64)}": must be no more than 63 characters`;
    expect(findings).toEqual([finding, finding]);
  });
});

test("a Job causes warnings for its name, its size and its pods", async () => {
  const send = testClient(quietCluster());
  const spec = indexed({ completions: 100_001, parallelism: 10_001 });
  const { warnings } = await send("POST", path, job("j.k", spec));
  const size =
    "spec: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail";
  // The name is invalid for indexed pods, so the Job is refused without a warning.
  expect(warnings).toEqual([]);
  expect((await send("POST", path, job("j", spec))).warnings).toEqual([size]);
  expect((await send("POST", path, job("j.l"))).warnings).toEqual([nameAdvice]);
});

describe("a deleted Job", () => {
  test.each<[title: string, method: string, query: string, warnings: readonly string[], finalizers: unknown]>(
    [
      ["orphans its pods with a warning", "/j", "", [orphanAdvice], ["orphan"]],
      ["deletes its pods on request", "/j", "?propagationPolicy=Background", [], undefined],
      ["orphans its pods without a warning on request", "/j", "?propagationPolicy=Orphan", [], ["orphan"]],
      [
        "orphans its pods without a warning with orphanDependents",
        "/j",
        "?orphanDependents=true",
        [],
        ["orphan"],
      ],
    ],
  )("%s", async (_title, name, query, warnings, finalizers) => {
    const send = testClient(quietCluster());
    await send("POST", path, job("j"));
    const deleted = await send("DELETE", `${path}${name}${query}`);
    expect(deleted.warnings).toEqual(warnings);
    expect((await send("GET", `${path}/j`)).object.metadata.finalizers).toEqual(finalizers);
  });

  test("with others has one warning", async () => {
    const send = testClient(quietCluster());
    await send("POST", path, job("a"));
    await send("POST", path, job("b"));
    expect((await send("DELETE", path)).warnings).toEqual([orphanAdvice]);
  });
});
