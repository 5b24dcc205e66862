import { describe, expect, test } from "vitest";
import { quietCluster, testClient } from "../../registry/test-client.ts";
import { mismatch, podTemplate, workload } from "../../registry/workloads.ts";

const path = "/apis/apps/v1/namespaces/default/daemonsets";
const annotation = "deprecated.daemonset.template.generation";
const rollingPath = "spec.updateStrategy.rollingUpdate";

function rolling(parameters: object): object {
  return { updateStrategy: { rollingUpdate: parameters } };
}

describe("a DaemonSet is refused for", () => {
  test.each<[title: string, spec: object, findings: readonly string[]]>([
    [
      "an empty spec",
      { selector: undefined, template: undefined },
      [
        `spec.template.metadata.labels: Invalid value: map[string]string(nil): ${mismatch}`,
        "spec.template.spec.containers: Required value",
      ],
    ],
    [
      "a selector of all pods",
      { selector: {} },
      [
        "spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string(nil), MatchExpressions:[]v1.LabelSelectorRequirement(nil)}: empty selector is invalid for daemonset",
      ],
    ],
    [
      "an invalid selector, reported once",
      { selector: { matchExpressions: [{ key: "app", operator: "Exists", values: ["x"] }] } },
      [
        "spec.selector.matchExpressions[0].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
      ],
    ],
    [
      "pods with a deadline or another restart policy",
      { template: podTemplate({ restartPolicy: "Never", activeDeadlineSeconds: 5 }) },
      [
        'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
        "spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in DaemonSet is not Supported",
      ],
    ],
    [
      "negative numbers",
      { minReadySeconds: -1, revisionHistoryLimit: -1 },
      [
        "spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0",
        "spec.revisionHistoryLimit: Invalid value: -1: must be greater than or equal to 0",
      ],
    ],
    [
      "another strategy",
      { updateStrategy: { type: "Z" } },
      [
        'spec.updateStrategy: Unsupported value: apps.DaemonSetUpdateStrategy{Type:"Z", RollingUpdate:(*apps.RollingUpdateDaemonSet)(nil)}: supported values: "RollingUpdate", "OnDelete"',
      ],
    ],
    [
      "neither surge nor unavailable pods",
      rolling({ maxUnavailable: 0 }),
      [`${rollingPath}.maxUnavailable: Required value: cannot be 0 when maxSurge is 0`],
    ],
    [
      "both surge and unavailable pods",
      rolling({ maxUnavailable: 1, maxSurge: "10%" }),
      [
        `${rollingPath}.maxSurge: Invalid value: intstr.IntOrString{Type:1, IntVal:0, StrVal:"10%"}: may not be set when maxUnavailable is non-zero`,
      ],
    ],
    [
      "more than 100%",
      rolling({ maxUnavailable: 0, maxSurge: "101%" }),
      [
        `${rollingPath}.maxSurge: Invalid value: intstr.IntOrString{Type:1, IntVal:0, StrVal:"101%"}: must not be greater than 100%`,
      ],
    ],
  ])("%s", async (_title, spec, findings) => {
    const send = testClient(quietCluster());
    expect((await send("POST", path, workload("d", spec))).findings).toEqual(findings);
    await send("POST", path, workload("d"));
    const changed = await send("PUT", `${path}/d`, workload("d", spec));
    expect(changed.findings.slice(0, 2 * findings.length)).toEqual([...findings, ...findings]);
  });

  test("a changed selector", async () => {
    const send = testClient(quietCluster());
    await send("POST", path, workload("d"));
    const { findings } = await send("PUT", `${path}/d`, workload("d", { selector: undefined }));
    expect(findings.at(-1)).toBe('spec.selector: Invalid value: "null": field is immutable');
  });

  test("an invalid template generation", async () => {
    const send = testClient(quietCluster());
    const metadata = { name: "d", annotations: { [annotation]: "x" } };
    const { code, findings } = await send("POST", path, { ...workload("d"), metadata });
    expect([code, ...findings]).toEqual([
      400,
      'DaemonSet in version "v1" cannot be handled as a DaemonSet: strconv.ParseInt: parsing "x": invalid syntax',
    ]);
  });
});

describe("a DaemonSet counts template changes in an annotation", () => {
  test.each<[title: string, patch: object, generation: number, templates: string]>([
    ["a change of the template", { spec: { template: { metadata: { labels: { a: "b" } } } } }, 2, "2"],
    ["a change outside the template", { spec: { minReadySeconds: 3 } }, 2, "1"],
    ["a change of labels", { metadata: { labels: { a: "b" } } }, 1, "1"],
    ["a change of the count itself", { metadata: { annotations: { [annotation]: "7" } } }, 1, "1"],
    ["a removal of the count", { metadata: { annotations: null } }, 1, "1"],
  ])("%s", async (_title, patch, generation, templates) => {
    const send = testClient(quietCluster());
    const created = await send("POST", path, workload("d"));
    expect(created.object.metadata.annotations).toEqual({ [annotation]: "1" });
    const { metadata } = (await send("PATCH", `${path}/d`, patch)).object;
    expect([metadata.generation, metadata.annotations[annotation]]).toEqual([generation, templates]);
  });

  test("which may start above one", async () => {
    const send = testClient(quietCluster());
    const metadata = { name: "d", annotations: { [annotation]: "5" } };
    const { object } = await send("POST", path, { ...workload("d"), metadata });
    expect(object.metadata.annotations).toEqual({ [annotation]: "5" });
  });

  test("which the status does not change", async () => {
    const send = testClient(quietCluster());
    await send("POST", path, workload("d"));
    const annotations = { [annotation]: "9", a: "b" };
    const { object } = await send("PATCH", `${path}/d/status`, { metadata: { annotations } });
    expect(object.metadata.annotations).toEqual({ [annotation]: "1", a: "b" });
  });
});

test("the status of a DaemonSet is refused for negative numbers", async () => {
  const send = testClient(quietCluster());
  await send("POST", path, workload("d"));
  const counts = [
    "currentNumberScheduled",
    "numberMisscheduled",
    "desiredNumberScheduled",
    "numberReady",
    "observedGeneration",
    "updatedNumberScheduled",
    "numberAvailable",
    "numberUnavailable",
    "collisionCount",
  ];
  const status = Object.fromEntries(counts.map((count) => [count, -1]));
  const { findings } = await send("PATCH", `${path}/d/status`, { status });
  const detail = "Invalid value: -1: must be greater than or equal to 0";
  expect(findings).toEqual(counts.map((count) => `status.${count}: ${detail}`));
});
