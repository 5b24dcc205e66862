import { describe, expect, test } from "vitest";
import { quietCluster, testClient } from "../../registry/test-client.ts";

const path = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
const percentRule =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

function budget(spec: object = {}, name = "b"): object {
  return { metadata: { name }, spec: { minAvailable: 1, ...spec } };
}

describe("a PodDisruptionBudget is refused for", () => {
  test.each<[title: string, spec: object, findings: readonly string[]]>([
    [
      "both limits",
      { maxUnavailable: "x" },
      [
        "spec: Invalid value: policy.PodDisruptionBudgetSpec{MinAvailable:(*intstr.IntOrString)(0xc000000000), Selector:(*v1.LabelSelector)(nil), MaxUnavailable:(*intstr.IntOrString)(0xc000000000), UnhealthyPodEvictionPolicy:(*policy.UnhealthyPodEvictionPolicyType)(nil)}: minAvailable and maxUnavailable cannot be both set",
        `spec.maxUnavailable: Invalid value: intstr.IntOrString{Type:1, IntVal:0, StrVal:"x"}: ${percentRule}`,
      ],
    ],
    [
      "negative numbers",
      { minAvailable: -1 },
      ["spec.minAvailable: Invalid value: -1: must be greater than or equal to 0"],
    ],
    [
      "more than 100%",
      { minAvailable: "101%" },
      [
        'spec.minAvailable: Invalid value: intstr.IntOrString{Type:1, IntVal:0, StrVal:"101%"}: must not be greater than 100%',
      ],
    ],
    [
      "an invalid selector",
      { selector: { matchExpressions: [{ key: "a", operator: "Like" }] } },
      ['spec.selector.matchExpressions[0].operator: Invalid value: "Like": not a valid selector operator'],
    ],
    [
      "an unknown policy",
      { unhealthyPodEvictionPolicy: "Z" },
      [
        'spec.unhealthyPodEvictionPolicy: Unsupported value: "Z": supported values: "AlwaysAllow", "IfHealthyBudget"',
      ],
    ],
  ])("%s", async (_title, spec, findings) => {
    const send = testClient(quietCluster());
    expect((await send("POST", path, budget(spec))).findings).toEqual(findings);
    await send("POST", path, budget());
    expect((await send("PATCH", `${path}/b`, { spec })).findings).toEqual(findings);
  });

  test.each<[title: string, status: object, findings: readonly string[]]>([
    [
      "negative counts",
      { disruptionsAllowed: -1, currentHealthy: -1, desiredHealthy: -1, expectedPods: -1 },
      ["disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"].map(
        (count) => `status.${count}: Invalid value: -1: must be greater than or equal to 0`,
      ),
    ],
    [
      "conditions without a reason",
      {
        conditions: [{ type: "A", status: "True", reason: "", lastTransitionTime: "2020-01-01T00:00:00Z" }],
      },
      ["status.conditions[0].reason: Required value: must be set"],
    ],
  ])("a status with %s", async (_title, status, findings) => {
    const send = testClient(quietCluster());
    await send("POST", path, budget());
    expect((await send("PATCH", `${path}/b/status`, { status })).findings).toEqual(findings);
  });
});

test("v1beta1 does not validate the counts of a status", async () => {
  const send = testClient(quietCluster({ release: "1.24" }));
  await send("POST", path, budget());
  const status = { currentHealthy: -1, conditions: [{ type: "a b", status: "Q" }] };
  const findings = async (version: string) =>
    (await send("PATCH", `${path.replace("/v1/", `/${version}/`)}/b/status`, { status })).findings.map(
      (finding) => finding.split(":")[0],
    );
  const ofConditions = ["type", "status", "lastTransitionTime", "reason"].map(
    (field) => `status.conditions[0].${field}`,
  );
  expect(await findings("v1beta1")).toEqual(ofConditions);
  expect(await findings("v1")).toEqual([...ofConditions, "status.currentHealthy"]);
});

test("a PodDisruptionBudget counts changes of its spec, and its name only has to fit into a path", async () => {
  const send = testClient(quietCluster());
  const created = await send("POST", path, budget({}, "Budget_1"));
  expect(created.object).toMatchObject({
    metadata: { generation: 1 },
    status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
  });
  const changed = await send("PATCH", `${path}/Budget_1`, { spec: { minAvailable: "50%" } });
  expect(changed.object.metadata.generation).toBe(2);
});

test("replacing a PodDisruptionBudget requires its resourceVersion", async () => {
  const send = testClient(quietCluster());
  await send("POST", path, budget());
  expect((await send("PUT", `${path}/b`, budget())).findings).toEqual([
    "metadata.resourceVersion: Invalid value: 0x0: must be specified for an update",
  ]);
});

test("a new PodDisruptionBudget has an empty status, regardless of the sent one", async () => {
  const send = testClient(quietCluster());
  const { object } = await send("POST", path, { ...budget(), status: { disruptionsAllowed: 3 } });
  expect(object.status.disruptionsAllowed).toBe(0);
  const change = { spec: { minAvailable: 2 }, status: { disruptionsAllowed: 5 } };
  const { object: counted } = await send("PATCH", `${path}/b/status`, change);
  expect([counted.spec.minAvailable, counted.status.disruptionsAllowed, counted.metadata.generation]).toEqual(
    [1, 5, 1],
  );
  const { object: changed } = await send("PATCH", `${path}/b`, {
    ...change,
    status: { disruptionsAllowed: 7 },
  });
  expect([changed.spec.minAvailable, changed.status.disruptionsAllowed]).toEqual([2, 5]);
});
