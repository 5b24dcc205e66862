import { describe, expect, test } from "vitest";
import { quietCluster, testClient } from "../../registry/test-client.ts";
import { mismatch, podTemplate, workload } from "../../registry/workloads.ts";

const path = "/apis/apps/v1/namespaces/default/statefulsets";
const forbidden =
  "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

describe("a StatefulSet is refused for", () => {
  test.each<[title: string, spec: object, findings: readonly string[]]>([
    [
      "an empty spec; pods without containers are accepted",
      { selector: undefined, template: undefined },
      [
        "spec.selector: Required value",
        `spec.template.metadata.labels: Invalid value: map[string]string(nil): ${mismatch}`,
      ],
    ],
    [
      "a selector of all pods",
      { selector: {} },
      [
        "spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string(nil), MatchExpressions:[]v1.LabelSelectorRequirement(nil)}: empty selector is invalid for statefulset",
      ],
    ],
    [
      "an invalid selector",
      { selector: { matchExpressions: [{ key: "app", operator: "In" }] } },
      [
        "spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
        'spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string(nil), MatchExpressions:[]v1.LabelSelectorRequirement{v1.LabelSelectorRequirement{Key:"app", Operator:"In", Values:[]string(nil)}}}',
      ],
    ],
    [
      "unknown policies",
      {
        podManagementPolicy: "Q",
        updateStrategy: { type: "Z" },
        persistentVolumeClaimRetentionPolicy: { whenDeleted: "Q", whenScaled: "R" },
      },
      [
        "spec.podManagementPolicy: Invalid value: \"Q\": must be 'OrderedReady' or 'Parallel'",
        "spec.updateStrategy: Invalid value: apps.StatefulSetUpdateStrategy{Type:\"Z\", RollingUpdate:(*apps.RollingUpdateStatefulSetStrategy)(nil)}: must be 'RollingUpdate' or 'OnDelete'",
        'spec.persistentVolumeClaimRetentionPolicy.whenDeleted: Unsupported value: "Q": supported values: "Retain", "Delete"',
        'spec.persistentVolumeClaimRetentionPolicy.whenScaled: Unsupported value: "R": supported values: "Retain", "Delete"',
      ],
    ],
    [
      "rolling update parameters for OnDelete",
      { updateStrategy: { type: "OnDelete", rollingUpdate: { partition: -1 } } },
      [
        "spec.updateStrategy.rollingUpdate: Invalid value: apps.RollingUpdateStatefulSetStrategy{Partition:-1, MaxUnavailable:(*intstr.IntOrString)(nil)}: only allowed for updateStrategy 'RollingUpdate'",
      ],
    ],
    [
      "negative numbers",
      {
        replicas: -1,
        minReadySeconds: -1,
        ordinals: { start: -1 },
        updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: -1 } },
      },
      [
        "spec.updateStrategy.rollingUpdate.partition: Invalid value: -1: must be greater than or equal to 0",
        "spec.replicas: Invalid value: -1: must be greater than or equal to 0",
        "spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0",
        "spec.ordinals.start: Invalid value: -1: must be greater than or equal to 0",
      ],
    ],
    [
      "pods with a deadline or another restart policy",
      { template: podTemplate({ restartPolicy: "Never", activeDeadlineSeconds: 5 }) },
      [
        'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
        "spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in StatefulSet is not Supported",
      ],
    ],
    [
      "invalid pod labels",
      { template: podTemplate({}, { app: "web", tier: "a b" }) },
      [expect.stringContaining('spec.template.labels: Invalid value: "a b": a valid label must be')],
    ],
  ])("%s", async (_title, spec, findings) => {
    const send = testClient(quietCluster());
    expect((await send("POST", path, workload("s", spec))).findings).toEqual(findings);
  });

  test("a name that is not a host name", async () => {
    const send = testClient(quietCluster());
    const { findings } = await send("POST", path, workload("s.t"));
    expect(findings).toEqual(['metadata.name: Invalid value: "s.t": must not contain dots']);
  });

  test.each<[title: string, spec: object]>([
    ["its service", { serviceName: "other" }],
    ["how many revisions it keeps", { revisionHistoryLimit: 3 }],
    ["the order of its pods", { podManagementPolicy: "Parallel" }],
    ["the claims of its pods", { volumeClaimTemplates: [{ metadata: { name: "data" } }] }],
  ])("a change of %s", async (_title, spec) => {
    const send = testClient(quietCluster());
    await send("POST", path, workload("s"));
    expect((await send("PATCH", `${path}/s`, { spec })).findings).toEqual([forbidden]);
  });
});

test("a StatefulSet may change fields that do not affect its identity", async () => {
  const send = testClient(quietCluster());
  await send("POST", path, workload("s"));
  const { code, object } = await send("PATCH", `${path}/s`, {
    spec: {
      replicas: 2,
      ordinals: { start: 1 },
      template: podTemplate({ terminationGracePeriodSeconds: 5 }),
      updateStrategy: { type: "OnDelete", rollingUpdate: null },
      persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete" },
      minReadySeconds: 1,
    },
  });
  expect([code, object.metadata.generation]).toEqual([200, 2]);
});

test("maxUnavailable requires a feature gate", async () => {
  const send = testClient(quietCluster());
  const updateStrategy = { type: "RollingUpdate", rollingUpdate: { partition: 1, maxUnavailable: 2 } };
  const { object } = await send("POST", path, workload("s", { updateStrategy }));
  expect(object.spec.updateStrategy).toEqual({ type: "RollingUpdate", rollingUpdate: { partition: 1 } });
});

test("1.35 accepts maxUnavailable with its gate, but not 0", async () => {
  const featureGates = { MaxUnavailableStatefulSet: true };
  const send = testClient(quietCluster({ release: "1.35", featureGates }));
  const updateStrategy = { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 0 } };
  expect((await send("POST", path, workload("s", { updateStrategy }))).findings).toEqual([
    "spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: 0: cannot be 0",
  ]);
});

test("a StatefulSet causes warnings for claims of fractional bytes", async () => {
  const send = testClient(quietCluster());
  const claim = {
    metadata: { name: "data" },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1500m" } } },
  };
  const advice = 'fractional byte value "1500m" is invalid, must be an integer';
  const created = await send("POST", path, workload("s", { volumeClaimTemplates: [claim] }));
  expect(created.warnings).toEqual([`spec.volumeClaimTemplates[0].resources.requests[storage]: ${advice}`]);
  const changed = await send("PATCH", `${path}/s`, { metadata: { labels: { a: "b" } } });
  expect(changed.warnings).toEqual([
    `spec.volumeClaimTemplates[0].Spec.resources.requests[storage]: ${advice}`,
  ]);
});

test.each<[title: string, status: object, findings: readonly string[]]>([
  [
    "negative numbers",
    { replicas: 0, currentReplicas: -1, observedGeneration: -1, collisionCount: -1 },
    [
      "status.currentReplicas: Invalid value: -1: must be greater than or equal to 0",
      "status.observedGeneration: Invalid value: -1: must be greater than or equal to 0",
      "status.collisionCount: Invalid value: -1: must be greater than or equal to 0",
    ],
  ],
  [
    "counts above the number of replicas",
    { replicas: 1, readyReplicas: 2, currentReplicas: 2, updatedReplicas: 2, availableReplicas: 3 },
    [
      "status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas",
      "status.currentReplicas: Invalid value: 2: cannot be greater than status.replicas",
      "status.updatedReplicas: Invalid value: 2: cannot be greater than status.replicas",
      "status.availableReplicas: Invalid value: 3: cannot be greater than status.replicas",
      "status.availableReplicas: Invalid value: 3: cannot be greater than status.readyReplicas",
    ],
  ],
])("the status of a StatefulSet is refused for %s", async (_title, status, findings) => {
  const send = testClient(quietCluster());
  await send("POST", path, workload("s"));
  expect((await send("PATCH", `${path}/s/status`, { status })).findings).toEqual(findings);
});

describe("later releases allow more changes of a StatefulSet", () => {
  test.each<[release: string, fields: string]>([
    ["1.21", "'replicas', 'template', and 'updateStrategy'"],
    ["1.22", "'replicas', 'template', 'updateStrategy' and 'minReadySeconds'"],
    [
      "1.25",
      "'replicas', 'template', 'updateStrategy', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds'",
    ],
    [
      "1.33",
      "'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds'",
    ],
  ])("in %s to %s", async (release, fields) => {
    const send = testClient(quietCluster({ release }));
    await send("POST", path, workload("w", { serviceName: "s" }));
    const { findings } = await send("PATCH", `${path}/w`, { spec: { serviceName: "t" } });
    const rule = `spec: Forbidden: updates to statefulset spec for fields other than ${fields} are forbidden`;
    expect(findings).toEqual([rule]);
  });

  test.each<[release: string, code: number, warnings: readonly string[]]>([
    ["1.32", 422, []],
    [
      "1.33",
      200,
      [
        "spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended",
      ],
    ],
  ])("%s checks the revision history limit", async (release, code, warnings) => {
    const send = testClient(quietCluster({ release }));
    await send("POST", path, workload("w"));
    const answer = await send("PATCH", `${path}/w`, { spec: { revisionHistoryLimit: -1 } });
    expect([answer.code, ...answer.warnings]).toEqual([code, ...warnings]);
  });
});
