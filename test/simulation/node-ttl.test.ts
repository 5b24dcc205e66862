import { expect, test } from "vitest";
import { type Cluster, createCluster } from "../../src/index.ts";

const annotation = "node.alpha.kubernetes.io/ttl";

async function timeOf(cluster: Cluster, name: string): Promise<string | undefined> {
  const { metadata } = await cluster.get("v1", "Node", name);
  return metadata?.annotations?.[annotation];
}

async function touch(cluster: Cluster, name: string, text: string): Promise<string | undefined> {
  await cluster.patch("v1", "Node", name, { metadata: { labels: { touched: text } } });
  await cluster.settle();
  return timeOf(cluster, name);
}

// The facts are those of ttl_controller_test.go in kubernetes, pkg/controller/ttl.
test("nodes say how long kubelets may keep what pods mount, by how many there are", async () => {
  await using cluster = createCluster({ seed: 1, simulate: true });
  await cluster.settle();
  expect(await timeOf(cluster, "node-1")).toBe("0");
  const { metadata } = await cluster.get("v1", "Node", "node-1");
  const owner = metadata?.managedFields?.find(({ fieldsV1 }) =>
    JSON.stringify(fieldsV1).includes(`f:${annotation}`),
  );
  expect(owner?.manager).toBe("kube-controller-manager");

  const added = Array.from({ length: 98 }, (_, index) => `more-${index}`);
  for (const name of added) await cluster.addNode({ name });
  await cluster.settle();
  // With the 101st node, the time of those that change is 15 seconds.
  expect([await timeOf(cluster, "more-96"), await timeOf(cluster, "more-97")]).toEqual(["0", "15"]);
  expect(await touch(cluster, "more-0", "once")).toBe("15");

  const fork = cluster.fork();
  for (const name of added.slice(-11)) await cluster.delete("v1", "Node", name);
  await cluster.settle();
  expect(await touch(cluster, "more-1", "at-90")).toBe("15");
  await cluster.delete("v1", "Node", "more-2");
  expect(await touch(cluster, "more-1", "at-89")).toBe("0");
  expect(await touch(fork, "more-3", "in-a-fork")).toBe("15");
  await fork.close();
});

test("an annotation that is no number is replaced, and another spelling of the number stays", async () => {
  await using cluster = createCluster({ seed: 1, simulate: true });
  await cluster.settle();
  const set = async (text: string): Promise<string | undefined> => {
    await cluster.patch("v1", "Node", "node-1", { metadata: { annotations: { [annotation]: text } } });
    await cluster.settle();
    return timeOf(cluster, "node-1");
  };
  expect([await set("soon"), await set("60"), await set("00")]).toEqual(["0", "0", "00"]);
});

test("the controller can be off", async () => {
  await using cluster = createCluster({ simulate: true, controllers: ["*", "-ttl-controller"] });
  await cluster.settle();
  expect(await timeOf(cluster, "node-1")).toBeUndefined();
});
