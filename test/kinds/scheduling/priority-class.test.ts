import { describe, expect, test } from "vitest";
import { quietCluster, testClient } from "../../registry/test-client.ts";

const path = "/apis/scheduling.k8s.io/v1/priorityclasses";
const reserved =
  "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error:";

test.each<[string, object, readonly string[]]>([
  [
    "with a reserved prefix",
    { metadata: { name: "system-x" } },
    [`${reserved} system-x is not a known system priority class`],
  ],
  [
    "of the system with another value",
    { metadata: { name: "system-node-critical" }, value: 2 },
    [`${reserved} value of system-node-critical PriorityClass must be 2000001000`],
  ],
  [
    "of the system as the global default",
    { metadata: { name: "system-cluster-critical" }, value: 2_000_000_000, globalDefault: true },
    [`${reserved} globalDefault of system-cluster-critical PriorityClass must be false`],
  ],
  [
    "with a too high value",
    { metadata: { name: "x" }, value: 1000000001 },
    ["value: Forbidden: maximum allowed value of a user defined priority is 1000000000"],
  ],
  [
    "with an unknown preemption policy",
    { metadata: { name: "x" }, preemptionPolicy: "Z" },
    ['preemptionPolicy: Unsupported value: "Z": supported values: "PreemptLowerPriority", "Never"'],
  ],
  [
    "without a preemption policy",
    { metadata: { name: "x" }, preemptionPolicy: "" },
    ["preemptionPolicy: Required value"],
  ],
])("a PriorityClass %s is refused", async (_title, body, findings) => {
  const send = testClient(quietCluster());
  expect((await send("POST", path, { value: 1, ...body })).findings).toEqual(findings);
});

test.each([["system-cluster-critical"], ["system-node-critical"]])(
  "%s can be recreated unchanged",
  async (name) => {
    const send = testClient(quietCluster());
    const { object } = await send("GET", `${path}/${name}`);
    await send("DELETE", `${path}?fieldSelector=metadata.name%3D${name}`);
    const { value, description, preemptionPolicy } = object;
    const again = await send("POST", path, { metadata: { name }, value, description });
    expect(again.object).toMatchObject({ value, description, preemptionPolicy });
  },
);

test("a PriorityClass keeps its value and policy, and its first generation", async () => {
  const send = testClient(quietCluster());
  await send("POST", path, { metadata: { name: "x" }, value: 1 });
  expect((await send("PATCH", `${path}/x`, { value: 2, preemptionPolicy: "Never" })).findings).toEqual([
    "value: Forbidden: may not be changed in an update.",
    'preemptionPolicy: Invalid value: "Never": field is immutable',
  ]);
  const { object } = await send("PATCH", `${path}/x`, { description: "d" });
  expect(object.metadata.generation).toBe(1);
});

/** Upstream: pkg/registry/scheduling/priorityclass/storage/storage.go. */
describe("a deletion of priority classes", () => {
  test.each([
    ["system-node-critical", ""],
    ["system-cluster-critical", ""],
    ["system-cluster-critical", "?dryRun=All"],
    ["system-cluster-critical", "?propagationPolicy=Foreground"],
  ])("is refused for %s%s", async (name, query) => {
    const send = testClient(quietCluster());
    const { code, findings } = await send("DELETE", `${path}/${name}${query}`);
    expect(code).toBe(403);
    expect(findings).toEqual([
      `priorityclasses.scheduling.k8s.io "${name}" is forbidden: this is a system priority class and cannot be deleted`,
    ]);
    expect((await send("GET", `${path}/${name}`)).code).toBe(200);
  });

  test("is accepted for other classes, and for the collection", async () => {
    const send = testClient(quietCluster());
    await send("POST", path, { metadata: { name: "mine" }, value: 1 });
    expect((await send("DELETE", `${path}/mine`)).code).toBe(200);
    expect((await send("DELETE", path)).code).toBe(200);
    expect((await send("GET", `${path}/system-node-critical`)).code).toBe(404);
  });
});
