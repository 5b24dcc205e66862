import { describe, expect, test } from "vitest";
import { quietCluster, testClient } from "../../registry/test-client.ts";
import { mismatch, nameAdvice, podTemplate, workload } from "../../registry/workloads.ts";

const path = "/apis/apps/v1/namespaces/default/replicasets";

const emptySelector =
  "spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string(nil), MatchExpressions:[]v1.LabelSelectorRequirement(nil)}: empty selector is invalid for deployment";

describe("a ReplicaSet is refused for", () => {
  test.each<[title: string, spec: object, findings: readonly string[]]>([
    [
      "an empty spec",
      { selector: undefined, template: undefined },
      [
        "spec.selector: Required value",
        `spec.template.metadata.labels: Invalid value: map[string]string(nil): ${mismatch}`,
        "spec.template.spec.containers: Required value",
      ],
    ],
    ["a selector of all pods, with the message of another kind", { selector: {} }, [emptySelector]],
    [
      "negative numbers",
      { replicas: -1, minReadySeconds: -1 },
      [
        "spec.replicas: Invalid value: -1: must be greater than or equal to 0",
        "spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0",
      ],
    ],
    [
      "pods with a deadline or another restart policy",
      { template: podTemplate({ restartPolicy: "OnFailure", activeDeadlineSeconds: 1 }) },
      [
        'spec.template.spec.restartPolicy: Unsupported value: "OnFailure": supported values: "Always"',
        "spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not Supported",
      ],
    ],
  ])("%s, twice on updates", async (_title, spec, findings) => {
    const send = testClient(quietCluster());
    expect((await send("POST", path, workload("r", spec))).findings).toEqual(findings);
    await send("POST", path, workload("r"));
    const changed = await send("PUT", `${path}/r`, workload("r", spec));
    expect(changed.findings.slice(0, 2 * findings.length)).toEqual([...findings, ...findings]);
  });

  test("a changed selector", async () => {
    const send = testClient(quietCluster());
    await send("POST", path, workload("r"));
    const patch = {
      spec: {
        selector: { matchLabels: { tier: "1" } },
        template: { metadata: { labels: { tier: "1" } } },
      },
    };
    expect((await send("PATCH", `${path}/r`, patch)).findings).toEqual([
      'spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string{"app":"web", "tier":"1"}, MatchExpressions:[]v1.LabelSelectorRequirement(nil)}: field is immutable',
    ]);
  });
});

test("a ReplicaSet starts without replicas in its status, and counts only changes of its spec", async () => {
  const send = testClient(quietCluster());
  const created = await send("POST", path, { ...workload("r.s"), status: { replicas: 3 } });
  expect(created.object.status).toEqual({ replicas: 0 });
  expect(created.warnings).toEqual([nameAdvice]);
  const annotated = await send("PATCH", `${path}/r.s`, { metadata: { annotations: { a: "b" } } });
  expect(annotated.object.metadata.generation).toBe(1);
  const scaled = await send("PATCH", `${path}/r.s`, { spec: { replicas: 4 } });
  expect(scaled.object.metadata.generation).toBe(2);
});

describe("the status of a ReplicaSet", () => {
  test.each<[title: string, status: object, findings: readonly string[]]>([
    [
      "negative numbers",
      { replicas: 0, fullyLabeledReplicas: -1, observedGeneration: -1 },
      [
        "status.fullyLabeledReplicas: Invalid value: -1: must be greater than or equal to 0",
        "status.observedGeneration: Invalid value: -1: must be greater than or equal to 0",
      ],
    ],
    [
      "counts above the number of replicas",
      { replicas: 1, fullyLabeledReplicas: 2, readyReplicas: 2, availableReplicas: 3 },
      [
        "status.fullyLabeledReplicas: Invalid value: 2: cannot be greater than status.replicas",
        "status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas",
        "status.availableReplicas: Invalid value: 3: cannot be greater than status.replicas",
        "status.availableReplicas: Invalid value: 3: cannot be greater than readyReplicas",
      ],
    ],
  ])("is refused for %s", async (_title, status, findings) => {
    const send = testClient(quietCluster());
    await send("POST", path, workload("r"));
    expect((await send("PATCH", `${path}/r/status`, { status })).findings).toEqual(findings);
  });

  test("can be changed with labels and annotations", async () => {
    const send = testClient(quietCluster());
    await send("POST", path, workload("r"));
    const metadata = { labels: { a: "b" }, annotations: { c: "d" } };
    const { object } = await send("PATCH", `${path}/r/status`, { metadata, status: { replicas: 1 } });
    expect(object.metadata).toMatchObject(metadata);
  });
});
