import { describe, expect, test } from "vitest";
import { quietCluster, testClient } from "../../registry/test-client.ts";
import { mismatch, nameAdvice, podTemplate } from "../../registry/workloads.ts";

const path = "/api/v1/namespaces/default/replicationcontrollers";

function controller(name: string, spec: object = {}): object {
  return { metadata: { name }, spec: { template: podTemplate(), ...spec } };
}

describe("a ReplicationController is refused for", () => {
  test.each<[title: string, spec: object, findings: readonly string[]]>([
    [
      "an empty spec",
      { template: undefined },
      ["spec.selector: Required value", "spec.template: Required value"],
    ],
    [
      "a selector of other pods",
      { selector: { app: "db" } },
      [`spec.template.metadata.labels: Invalid value: map[string]string{"app":"web"}: ${mismatch}`],
    ],
    [
      "negative numbers",
      { minReadySeconds: -1, replicas: -1 },
      [
        "spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0",
        "spec.replicas: Invalid value: -1: must be greater than or equal to 0",
      ],
    ],
    [
      "pods that end",
      { template: podTemplate({ restartPolicy: "Never", activeDeadlineSeconds: 5 }) },
      [
        'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
        "spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicationController is not Supported",
      ],
    ],
  ])("%s, twice on updates", async (_title, spec, findings) => {
    const send = testClient(quietCluster());
    expect((await send("POST", path, controller("r", spec))).findings).toEqual(findings);
    await send("POST", path, controller("r"));
    const changed = await send("PUT", `${path}/r`, controller("r", spec));
    expect(changed.findings).toEqual([...findings, ...findings]);
  });
});

test("a ReplicationController may select other pods, with a warning about the old ones", async () => {
  const send = testClient(quietCluster());
  const nodeSelector = { "beta.kubernetes.io/os": "linux" };
  const created = await send("POST", path, controller("r.c", { template: podTemplate({ nodeSelector }) }));
  expect(created.warnings).toEqual([
    nameAdvice,
    expect.stringMatching(/^spec\.template\.spec\.nodeSelector\[beta\.kubernetes\.io\/os\]: deprecated/),
  ]);
  const other = controller("r.c", { selector: { app: "db" }, template: podTemplate({}, { app: "db" }) });
  const changed = await send("PUT", `${path}/r.c`, other);
  expect([changed.code, changed.object.metadata.generation]).toEqual([200, 2]);
  expect(changed.warnings).toEqual(created.warnings.slice(1));
});

test("the counts in the status of a ReplicationController are consistent", async () => {
  const send = testClient(quietCluster());
  await send("POST", path, controller("r"));
  const status = { replicas: 1, readyReplicas: 2 };
  expect((await send("PATCH", `${path}/r/status`, { status })).findings).toEqual([
    "status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas",
  ]);
});

test("a deleted ReplicationController orphans its pods without a warning", async () => {
  const send = testClient(quietCluster());
  await send("POST", path, controller("r"));
  const { object, warnings } = await send("DELETE", `${path}/r`);
  expect(object.metadata.finalizers).toEqual(["orphan"]);
  expect(warnings).toEqual([]);
});
