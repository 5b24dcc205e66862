import { expect, test } from "vitest";
import { type Cluster, createCluster } from "../../src/index.ts";

/** A cluster whose scheduler and kubelets run, with one node for two pods. Its clock stands. */
async function clusterOf(): Promise<Cluster> {
  const cluster = createCluster({ seed: 1, simulate: ["scheduler", "kubelets"] });
  await cluster.settle();
  for (const name of ["node-1", "node-2", "node-3"]) await cluster.delete("v1", "Node", name);
  await cluster.addNode({ name: "a", capacity: { cpu: "2" } });
  await cluster.create({
    apiVersion: "scheduling.k8s.io/v1",
    kind: "PriorityClass",
    metadata: { name: "high" },
    value: 1000,
  });
  return cluster;
}

async function create(cluster: Cluster, name: string, labels: object, spec: object = {}): Promise<void> {
  const metadata = { name, namespace: "default", labels };
  const containers = [{ name: "web", image: "nginx", resources: { requests: { cpu: "1" } } }];
  await cluster.create({ apiVersion: "v1", kind: "Pod", metadata, spec: { containers, ...spec } });
  await cluster.settle();
}

/** A budget that the disruption controller does not know. */
async function createBudget(
  cluster: Cluster,
  name: string,
  matchLabels: object,
  status: object,
): Promise<void> {
  const metadata = { name, namespace: "default" };
  const spec = { minAvailable: 0, selector: { matchLabels } };
  await cluster.create({ apiVersion: "policy/v1", kind: "PodDisruptionBudget", metadata, spec });
  await cluster.patch("policy/v1", "PodDisruptionBudget", name, { status }, { subresource: "status" });
}

/** The pods that have left for another one. */
async function victims(cluster: Cluster): Promise<readonly string[]> {
  const names = (await cluster.list("v1", "Pod", { namespace: "default" })).items.map(
    ({ metadata }) => metadata?.name ?? "",
  );
  return ["x", "y"].filter((name) => !names.includes(name));
}

const none = { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 };

/** Upstream: the cases of `TestSelectBestCandidate` and `TestDryRunPreemption` in plugins/defaultpreemption/default_preemption_test.go. */
test.each([
  ["the pod that has started last", [], ["y"]],
  ["the pod that no budget protects", [["budget", { app: "y" }, none]], ["x"]],
  [
    "the less important pod if a budget allows one disruption",
    [
      ["budget", { app: "x" }, none],
      ["other", { tier: "web" }, { ...none, disruptionsAllowed: 1 }],
    ],
    ["y"],
  ],
  ["the pod that started last if a budget selects none", [["budget", {}, none]], ["y"]],
  [
    "a pod whose disruption its budget has counted",
    [["budget", { app: "y" }, { ...none, disruptedPods: { y: "2026-01-01T00:00:00Z" } }]],
    ["y"],
  ],
] as const)("of two pods, the victim is %s", async (_title, budgets, expected) => {
  await using cluster = await clusterOf();
  await create(cluster, "x", { app: "x", tier: "web" });
  await cluster.clock.advance("1m");
  await create(cluster, "y", { app: "y", tier: "web" });
  for (const [name, labels, status] of budgets) await createBudget(cluster, name, labels, status);
  await create(cluster, "great", {}, { priorityClassName: "high" });
  await cluster.clock.advance("1m");
  await cluster.settle();
  expect(await victims(cluster)).toEqual(expected);
  expect((await cluster.get("v1", "Pod", "great")).spec?.nodeName).toBe("a");
});

test("a pod looks for another node if the one that it was nominated for is cordoned", async () => {
  await using cluster = await clusterOf();
  await cluster.addNode({ name: "b", capacity: { cpu: "1" } });
  // Their containers take their time to stop.
  const lifecycle = { preStop: { sleep: { seconds: 20 } } };
  const resources = { requests: { cpu: "1" } };
  const containers = [{ name: "web", image: "nginx", lifecycle, resources }];
  for (const name of ["x", "y", "z"]) await create(cluster, name, {}, { containers });
  await create(cluster, "great", {}, { priorityClassName: "high" });
  const nominated = async () => (await cluster.get("v1", "Pod", "great")).status?.nominatedNodeName;
  const first = (await nominated()) ?? "";
  expect(["a", "b"]).toContain(first);
  await cluster.patch("v1", "Node", first, { spec: { unschedulable: true } });
  await cluster.settle();
  expect(await nominated()).toBe(first === "a" ? "b" : "a");
});
