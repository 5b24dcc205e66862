import { describe, expect, test } from "vitest";
import { quietCluster, testClient } from "../../registry/test-client.ts";
import { job } from "../../registry/workloads.ts";

const path = "/apis/batch/v1/namespaces/default/jobs";
const nonnegative = "must be greater than or equal to 0";

/** An Indexed Job of ten, with changes to its spec. */
function indexed(spec: object = {}): object {
  return { completionMode: "Indexed", completions: 10, ...spec };
}

const conditions = [{ type: "DisruptionTarget" }];

describe("a changed Job", () => {
  test.each<[title: string, before: object, spec: object, findings: readonly string[]]>([
    [
      "keeps its completions",
      {},
      { completions: 4 },
      ["spec.completions: Invalid value: 4: field is immutable"],
    ],
    [
      "keeps its completion mode, and changes its completions only with its parallelism",
      {},
      { completions: 4, completionMode: "Indexed" },
      [
        "spec.completions: Invalid value: 4: can only be modified in tandem with spec.parallelism",
        'spec.completionMode: Invalid value: "Indexed": field is immutable',
      ],
    ],
    [
      "cannot change its policies or its manager",
      indexed({ backoffLimitPerIndex: 1 }),
      {
        backoffLimitPerIndex: 2,
        managedBy: "acme.io/me",
        successPolicy: { rules: [{ succeededIndexes: "1" }] },
        podFailurePolicy: { rules: [{ action: "Ignore", onPodConditions: conditions }] },
        podReplacementPolicy: "Failed",
      },
      [
        'spec.podFailurePolicy: Invalid value: batch.PodFailurePolicy{Rules:[]batch.PodFailurePolicyRule{batch.PodFailurePolicyRule{Action:"Ignore", OnExitCodes:(*batch.PodFailurePolicyOnExitCodesRequirement)(nil), OnPodConditions:[]batch.PodFailurePolicyOnPodConditionsPattern{batch.PodFailurePolicyOnPodConditionsPattern{Type:"DisruptionTarget", Status:"True"}}}}}: field is immutable',
        "spec.backoffLimitPerIndex: Invalid value: 2: field is immutable",
        'spec.managedBy: Invalid value: "acme.io/me": field is immutable',
        "spec.successPolicy: Invalid value: batch.SuccessPolicy{Rules:[]batch.SuccessPolicyRule{batch.SuccessPolicyRule{SucceededIndexes:(*string)(0xc000000000), SucceededCount:(*int32)(nil)}}}: field is immutable",
      ],
    ],
    [
      "keeps its template",
      {},
      { template: { spec: { hostname: "h" } } },
      [
        expect.stringMatching(
          /^spec\.template: Invalid value: core\.PodTemplateSpec\{.*\}: field is immutable$/,
        ),
      ],
    ],
    [
      "is validated as a new one and as a changed one",
      {},
      { parallelism: -1 },
      [
        `spec.parallelism: Invalid value: -1: ${nonnegative}`,
        `spec.parallelism: Invalid value: -1: ${nonnegative}`,
      ],
    ],
  ])("%s", async (_title, before, spec, findings) => {
    const send = testClient(quietCluster());
    await send("POST", path, job("j", before));
    expect((await send("PATCH", `${path}/j`, { spec })).findings).toEqual(findings);
  });

  test("may scale when it is Indexed", async () => {
    const send = testClient(quietCluster());
    await send("POST", path, job("j", indexed({ parallelism: 10 })));
    const { code } = await send("PATCH", `${path}/j`, { spec: { completions: 3, parallelism: 3 } });
    expect(code).toBe(200);
  });

  test("may change the scheduling of its pods while it is suspended and has not started", async () => {
    const send = testClient(quietCluster());
    await send("POST", path, job("j", { suspend: true }));
    const directives = {
      metadata: { labels: { a: "b" }, annotations: { c: "d" } },
      spec: {
        nodeSelector: { disk: "fast" },
        tolerations: [{ key: "k", operator: "Exists" }],
        schedulingGates: [{ name: "acme.io/g" }],
        affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
      },
    };
    const allowed = await send("PATCH", `${path}/j`, { spec: { template: directives } });
    expect([allowed.code, ...allowed.findings]).toEqual([200]);
    const cleared = await send("PATCH", `${path}/j`, { spec: { template: { spec: { affinity: null } } } });
    expect(cleared.code).toBe(200);
    const podAffinity = { podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } };
    const others = await send("PATCH", `${path}/j`, {
      spec: { template: { spec: { affinity: podAffinity } } },
    });
    expect(others.code).toBe(422);
    await send("PATCH", `${path}/j/status`, { status: { startTime: "2020-01-01T00:00:00Z" } });
    const late = await send("PATCH", `${path}/j`, { spec: { template: { spec: { nodeSelector: null } } } });
    expect(late.code).toBe(422);
  });
});

test.each<[title: string, release: string, before: object, spec: object, findings: readonly unknown[]]>([
  [
    "scale while it has indexes, before 1.27",
    "1.26",
    indexed({ parallelism: 10 }),
    { completions: 3, parallelism: 3 },
    ["spec.completions: Invalid value: 3: field is immutable"],
  ],
  [
    "change the scheduling of its pods, before 1.23",
    "1.22",
    { suspend: true },
    { template: { spec: { nodeSelector: { disk: "fast" } } } },
    [
      expect.stringMatching(
        /^spec\.template: Invalid value: core\.PodTemplateSpec\{.*\}: field is immutable$/,
      ),
    ],
  ],
])("a Job may not %s", async (_title, release, before, spec, findings) => {
  const send = testClient(quietCluster({ release }));
  await send("POST", path, job("j", before));
  expect((await send("PATCH", `${path}/j`, { spec })).findings).toEqual(findings);
});

test.each<[title: string, spec: object]>([
  ["parallelism", { parallelism: 3 }],
  ["deadline", { activeDeadlineSeconds: 9 }],
  ["backoff", { backoffLimit: 1 }],
  ["time after its end", { ttlSecondsAfterFinished: 9 }],
  ["suspension", { suspend: true }],
])("a Job may change its %s, which changes the generation", async (_title, spec) => {
  const send = testClient(quietCluster());
  await send("POST", path, job("j"));
  const { code, object } = await send("PATCH", `${path}/j`, { spec });
  expect([code, object.metadata.generation]).toEqual([200, 2]);
  const { object: labeled } = await send("PATCH", `${path}/j`, { metadata: { annotations: { a: "b" } } });
  expect(labeled.metadata.generation).toBe(2);
});
