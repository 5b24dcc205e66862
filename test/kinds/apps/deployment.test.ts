import { describe, expect, test } from "vitest";
import { quietCluster, testClient } from "../../registry/test-client.ts";
import { mismatch, nameAdvice, podTemplate, workload } from "../../registry/workloads.ts";

const path = "/apis/apps/v1/namespaces/default/deployments";
const percentRule =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

function rolling(parameters: object): object {
  return { strategy: { rollingUpdate: parameters } };
}

describe("a Deployment is refused for", () => {
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
    [
      "a selector of other pods",
      { selector: { matchLabels: { app: "db" } } },
      [`spec.template.metadata.labels: Invalid value: map[string]string{"app":"web"}: ${mismatch}`],
    ],
    [
      "a selector of all pods",
      { selector: {} },
      [
        "spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string(nil), MatchExpressions:[]v1.LabelSelectorRequirement(nil)}: empty selector is invalid for deployment",
      ],
    ],
    [
      "an invalid selector",
      { selector: { matchExpressions: [{ key: "app", operator: "Like" }] } },
      [
        'spec.selector.matchExpressions[0].operator: Invalid value: "Like": not a valid selector operator',
        'spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string(nil), MatchExpressions:[]v1.LabelSelectorRequirement{v1.LabelSelectorRequirement{Key:"app", Operator:"Like", Values:[]string(nil)}}}: invalid label selector',
      ],
    ],
    [
      "pods with a deadline or another restart policy",
      { template: podTemplate({ restartPolicy: "Never", activeDeadlineSeconds: 5 }) },
      [
        'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
        "spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not Supported",
      ],
    ],
    [
      "negative numbers",
      { replicas: -1, minReadySeconds: -3, revisionHistoryLimit: -1, progressDeadlineSeconds: -2 },
      [
        "spec.replicas: Invalid value: -1: must be greater than or equal to 0",
        "spec.minReadySeconds: Invalid value: -3: must be greater than or equal to 0",
        "spec.revisionHistoryLimit: Invalid value: -1: must be greater than or equal to 0",
        "spec.progressDeadlineSeconds: Invalid value: -2: must be greater than or equal to 0",
      ],
    ],
    [
      "a progress deadline below minReadySeconds",
      { minReadySeconds: 600 },
      ["spec.progressDeadlineSeconds: Invalid value: 600: must be greater than minReadySeconds"],
    ],
    [
      "another strategy",
      { strategy: { type: "Zed", rollingUpdate: {} } },
      [
        'spec.strategy: Unsupported value: apps.DeploymentStrategy{Type:"Zed", RollingUpdate:(*apps.RollingUpdateDeployment)(0xc000000000)}: supported values: "Recreate", "RollingUpdate"',
      ],
    ],
    [
      "rolling update parameters for Recreate",
      { strategy: { type: "Recreate", rollingUpdate: { maxSurge: 1 } } },
      ["spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'"],
    ],
    [
      "neither surge nor unavailable pods",
      rolling({ maxSurge: "0%", maxUnavailable: 0 }),
      [
        'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: intstr.IntOrString{Type:0, IntVal:0, StrVal:""}: may not be 0 when `maxSurge` is 0',
      ],
    ],
    [
      "invalid percentages",
      rolling({ maxSurge: "a%", maxUnavailable: "101%" }),
      [
        `spec.strategy.rollingUpdate.maxSurge: Invalid value: intstr.IntOrString{Type:1, IntVal:0, StrVal:"a%"}: ${percentRule}`,
        'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: intstr.IntOrString{Type:1, IntVal:0, StrVal:"101%"}: must not be greater than 100%',
      ],
    ],
    [
      "negative numbers",
      rolling({ maxSurge: -1, maxUnavailable: -1 }),
      [
        "spec.strategy.rollingUpdate.maxUnavailable: Invalid value: -1: must be greater than or equal to 0",
        "spec.strategy.rollingUpdate.maxSurge: Invalid value: -1: must be greater than or equal to 0",
      ],
    ],
  ])("%s", async (_title, spec, findings) => {
    const send = testClient(quietCluster());
    expect((await send("POST", path, workload("d", spec))).findings).toEqual(findings);
  });

  test("a changed selector", async () => {
    const send = testClient(quietCluster());
    await send("POST", path, workload("d"));
    const changed = {
      selector: { matchLabels: { app: "db" } },
      template: podTemplate({}, { app: "db" }),
    };
    expect((await send("PUT", `${path}/d`, workload("d", changed))).findings).toEqual([
      'spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string{"app":"db"}, MatchExpressions:[]v1.LabelSelectorRequirement(nil)}: field is immutable',
    ]);
  });
});

test.each<[title: string, patch: object, generation: number]>([
  ["a change of its spec", { spec: { minReadySeconds: 3 } }, 2],
  ["a change of its annotations", { metadata: { annotations: { a: "b" } } }, 2],
  ["no change of its labels", { metadata: { labels: { a: "b" } } }, 1],
  ["no change without an effect", { spec: { replicas: 1, paused: false } }, 1],
])("a Deployment counts %s", async (_title, patch, generation) => {
  const send = testClient(quietCluster());
  await send("POST", path, workload("d"));
  const { object } = await send("PATCH", `${path}/d`, patch);
  expect(object.metadata.generation).toBe(generation);
});

describe("the status of a Deployment", () => {
  test("can be changed with its annotations, but not with labels, spec or generation", async () => {
    const send = testClient(quietCluster());
    await send("POST", path, { ...workload("d"), status: { replicas: 3 } });
    const { object } = await send("PATCH", `${path}/d/status`, {
      metadata: { labels: { a: "b" }, annotations: { a: "b" } },
      spec: { replicas: 9 },
      status: { replicas: 2 },
    });
    expect(object.metadata).toMatchObject({ generation: 1, annotations: { a: "b" } });
    expect(object.metadata).not.toHaveProperty("labels");
    expect(object.spec.replicas).toBe(1);
    expect(object.status).toEqual({ replicas: 2 });
  });

  test.each<[title: string, status: object, findings: readonly string[]]>([
    [
      "negative numbers",
      {
        observedGeneration: -1,
        replicas: 0,
        updatedReplicas: -1,
        unavailableReplicas: -1,
        collisionCount: -1,
      },
      [
        "status.observedGeneration: Invalid value: -1: must be greater than or equal to 0",
        "status.updatedReplicas: Invalid value: -1: must be greater than or equal to 0",
        "status.unavailableReplicas: Invalid value: -1: must be greater than or equal to 0",
        "status.collisionCount: Invalid value: -1: must be greater than or equal to 0",
        "status.collisionCount: Invalid value: -1: cannot be decremented",
      ],
    ],
    [
      "counts above the number of replicas",
      { replicas: 1, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 3 },
      [
        "status.updatedReplicas: Invalid value: 2: cannot be greater than status.replicas",
        "status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas",
        "status.availableReplicas: Invalid value: 3: cannot be greater than status.replicas",
        "status.availableReplicas: Invalid value: 3: cannot be greater than readyReplicas",
      ],
    ],
    [
      "a decreased collision count",
      { collisionCount: null },
      ["status.collisionCount: Invalid value: 0: cannot be decremented"],
    ],
  ])("is refused for %s", async (_title, status, findings) => {
    const send = testClient(quietCluster());
    await send("POST", path, workload("d"));
    await send("PATCH", `${path}/d/status`, { status: { collisionCount: 1 } });
    expect((await send("PATCH", `${path}/d/status`, { status })).findings).toEqual(findings);
  });
});

test("a Deployment causes warnings for its name and its pods, and for its pods again on updates", async () => {
  const send = testClient(quietCluster());
  const nodeSelector = { "beta.kubernetes.io/os": "linux" };
  const deprecated =
    'spec.template.spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead';
  const created = await send("POST", path, workload("d.e", { template: podTemplate({ nodeSelector }) }));
  expect(created.warnings).toEqual([nameAdvice, deprecated]);
  const labeled = await send("PATCH", `${path}/d.e`, { metadata: { labels: { a: "b" } } });
  expect(labeled.warnings).toEqual([]);
  const scaled = await send("PATCH", `${path}/d.e`, { spec: { replicas: 2 } });
  expect(scaled.warnings).toEqual([deprecated]);
});
