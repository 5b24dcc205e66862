import { expect, test } from "vitest";
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
