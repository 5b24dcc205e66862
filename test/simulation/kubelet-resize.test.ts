import { describe, expect, test } from "vitest";
import { type Cluster, createCluster, type JsonObject } from "../../src/index.ts";

const resources = (cpu: string, memory = "1Gi") => ({ requests: { cpu, memory } });

const pod = (name: string, cpu: string): JsonObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name },
  spec: { nodeName: "node-1", containers: [{ name: "web", image: "nginx", resources: resources(cpu) }] },
});

async function resize(cluster: Cluster, cpu: string, memory?: string): Promise<void> {
  const patch = { spec: { containers: [{ name: "web", resources: resources(cpu, memory) }] } };
  await cluster.patch("v1", "Pod", "web", patch, { subresource: "resize" });
  await cluster.settle();
}

/** The cores and memory that the pod has, and what its resize waits for. */
async function given(cluster: Cluster): Promise<readonly unknown[]> {
  const { status } = await cluster.get("v1", "Pod", "web");
  const [container] = status?.containerStatuses ?? [];
  const pending = status?.conditions?.find(({ type }) => type === "PodResizePending");
  return [
    container?.resources?.requests?.["cpu"],
    container?.resources?.requests?.["memory"],
    pending && `${pending.reason}: ${pending.message}`,
  ];
}

// Each of the simulated nodes has 8 cores and 32Gi of memory.
test("a resize takes effect if the node has room, and waits otherwise", async () => {
  await using cluster = createCluster({ seed: 1, simulate: ["kubelets"], release: "1.33" });
  await cluster.create(pod("other", "4"));
  await cluster.create(pod("web", "1"));
  await cluster.settle();
  await resize(cluster, "2");
  expect(await given(cluster)).toEqual(["2", "1Gi", undefined]);

  await resize(cluster, "200", "1Ti");
  const capacity =
    "Node didn't have enough capacity: memory, requested: 1099511627776, capacity: 34359738368";
  expect(await given(cluster)).toEqual(["2", "1Gi", `Infeasible: ${capacity}`]);

  await resize(cluster, "6");
  const deferred = "Node didn't have enough resource: cpu, requested: 6000, used: 4000, capacity: 8000";
  expect(await given(cluster)).toEqual(["2", "1Gi", `Deferred: ${deferred}`]);

  await cluster.delete("v1", "Pod", "other");
  await cluster.clock.advance("3m");
  await cluster.settle();
  expect(await given(cluster)).toEqual(["6", "1Gi", undefined]);
});

test("a resize that is taken back waits no more", async () => {
  await using cluster = createCluster({ seed: 1, simulate: ["kubelets"], release: "1.36" });
  await cluster.create(pod("web", "1"));
  await cluster.settle();
  await resize(cluster, "9");
  expect((await given(cluster))[2]).toContain("Infeasible");
  await resize(cluster, "1");
  expect(await given(cluster)).toEqual(["1", "1Gi", undefined]);
});

// Upstream: kubernetes pull requests 130387 (1.34) and 134825 (1.35).
test.each<["1.33" | "1.34" | "1.35", (cpu: string, generation: number) => readonly string[]]>([
  ["1.33", () => []],
  [
    "1.34",
    (cpu) => [
      `Normal ResizeCompleted Pod resize completed: {"containers":[{"name":"web","resources":{"requests":{"cpu":"${cpu}","memory":"1Gi"}}}]}`,
    ],
  ],
  [
    "1.35",
    (cpu, generation) =>
      ["Started", "Completed"].map(
        (step) =>
          `Normal Resize${step} Pod resize ${step.toLowerCase()}: {"containers":[{"name":"web","resources":{"requests":{"cpu":"${cpu}","memory":"1Gi"}}}],"generation":${generation}}`,
      ),
  ],
])("the events of a resize in %s", async (release, expected) => {
  await using cluster = createCluster({ seed: 1, simulate: ["kubelets"], release });
  await cluster.create(pod("web", "1"));
  await cluster.settle();
  await resize(cluster, "2");
  await cluster.clock.advance("1m");
  await resize(cluster, "3");
  expect(await resizeEvents(cluster)).toEqual([...expected("2", 2), ...expected("3", 3)]);
});

test("since 1.35, events say once why a resize waits", async () => {
  await using cluster = createCluster({ seed: 1, simulate: ["kubelets"], release: "1.35" });
  await cluster.create(pod("other", "4"));
  await cluster.create(pod("web", "1"));
  await cluster.settle();
  await resize(cluster, "6");
  await cluster.clock.advance("10m");
  await resize(cluster, "9");
  await cluster.clock.advance("10m");
  await resize(cluster, "1");
  const problem = (cpu: string, generation: number, error: string) =>
    `{"containers":[{"name":"web","resources":{"requests":{"cpu":"${cpu}","memory":"1Gi"}}}],"generation":${generation},"error":"${error}"}`;
  const used = "Node didn't have enough resource: cpu, requested: 6000, used: 4000, capacity: 8000";
  const capacity = "Node didn't have enough capacity: cpu, requested: 9000, capacity: 8000";
  expect(await resizeEvents(cluster)).toEqual([
    `Warning ResizeDeferred Pod resize Deferred: ${problem("6", 2, used)}`,
    `Warning ResizeInfeasible Pod resize Infeasible: ${problem("9", 3, capacity)}`,
  ]);
});

/** The events about resizes of the pod, as often as they have occurred. */
async function resizeEvents(cluster: Cluster): Promise<readonly string[]> {
  await cluster.settle();
  const { items } = await cluster.list("v1", "Event", { namespace: "default" });
  return items
    .filter(({ reason }) => reason?.startsWith("Resize"))
    .flatMap(({ type, reason, message, count = 1 }) => Array(count).fill(`${type} ${reason} ${message}`));
}

describe("a container restarts for a resize", () => {
  const policies = (cpu: string, memory: string) => [
    { resourceName: "cpu", restartPolicy: cpu },
    { resourceName: "memory", restartPolicy: memory },
  ];
  const [keep, restart] = ["NotRequired", "RestartContainer"];

  async function resized(resizePolicy: readonly object[], to: object) {
    await using cluster = createCluster({ seed: 1, simulate: ["kubelets"], release: "1.33" });
    const amounts = { cpu: "1", memory: "1Gi" };
    const own = { requests: amounts, limits: { cpu: "4", memory: "4Gi" } };
    const containers = [{ name: "web", image: "nginx", resources: own, resizePolicy }];
    const metadata = { name: "web", namespace: "default" };
    await cluster.create({
      apiVersion: "v1",
      kind: "Pod",
      metadata,
      spec: { nodeName: "node-1", containers },
    });
    await cluster.settle();
    const patch = { spec: { containers: [{ name: "web", resources: to }] } };
    await cluster.patch("v1", "Pod", "web", patch, { subresource: "resize", type: "strategic" });
    await cluster.settle();
    await cluster.clock.advance("1m");
    await cluster.settle();
    const { status } = await cluster.get("v1", "Pod", "web");
    const [container] = status?.containerStatuses ?? [];
    const { items } = await cluster.list("v1", "Event", { namespace: "default" });
    const killing = items.filter(({ reason }) => reason === "Killing").map(({ message }) => message);
    return { restarts: container?.restartCount, killing, ready: container?.ready, has: container?.resources };
  }

  test.each([
    ["its limit of memory", policies(keep, restart), { limits: { memory: "8Gi" } }],
    ["its limit of cores", policies(restart, keep), { limits: { cpu: "5" } }],
    ["its request of cores", policies(restart, keep), { requests: { cpu: "2" } }],
  ])("if the policy of %s wants it", async (_title, policy, to) => {
    const { has, ...seen } = await resized(policy, to);
    expect(seen).toEqual({
      restarts: 1,
      killing: ["Container web resize requires restart"],
      ready: true,
    });
    expect(has).toMatchObject(to);
  });

  test.each([
    ["the policy of another resource wants it", policies(keep, restart), { limits: { cpu: "5" } }],
    ["only its request of memory changes", policies(restart, restart), { requests: { memory: "2Gi" } }],
    ["no policy wants it", policies(keep, keep), { limits: { cpu: "5", memory: "8Gi" } }],
  ])("not if %s", async (_title, policy, to) => {
    const { has, ...seen } = await resized(policy, to);
    expect(seen).toEqual({ restarts: 0, killing: [], ready: true });
    expect(has).toMatchObject(to);
  });
});
