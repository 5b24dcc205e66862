import { expect, test } from "vitest";
import { type Cluster, createCluster, type JsonObject } from "../../src/index.ts";
import { nodeLost } from "../../src/scenario/presets.ts";

const noExecute = { key: "down", effect: "NoExecute" };

const simulated = () => createCluster({ seed: 1, simulate: true });

async function create(cluster: Cluster, name: string, tolerations: readonly JsonObject[] = []) {
  const containers = [{ name: "main", image: "i" }];
  const spec = { containers, nodeName: "node-1", tolerations };
  await cluster.create({ apiVersion: "v1", kind: "Pod", metadata: { name }, spec });
}

async function taint(cluster: Cluster, ...taints: readonly JsonObject[]) {
  await cluster.patch("v1", "Node", "node-1", { spec: { taints: taints.length > 0 ? taints : null } });
  await cluster.settle();
}

async function advance(cluster: Cluster, duration: string) {
  await cluster.clock.advance(duration);
  await cluster.settle();
}

/** The pods that are not being deleted. */
async function staying(cluster: Cluster) {
  const { items } = await cluster.list("v1", "Pod");
  const stay = items.filter(({ metadata }) => metadata?.deletionTimestamp === undefined);
  return stay.map(({ metadata }) => metadata?.name);
}

async function messages(cluster: Cluster, reason: string) {
  const { items } = await cluster.list("v1", "Event", { namespace: "default" });
  const found = items.filter((event) => event.reason === reason);
  return found.map(({ source, involvedObject, message }) => [
    source?.component,
    involvedObject.name,
    message,
  ]);
}

test("a taint evicts the pods that do not tolerate it, at once or after a time", async () => {
  await using cluster = simulated();
  await cluster.settle();
  await create(cluster, "intolerant");
  await create(cluster, "brief", [{ ...noExecute, operator: "Exists", tolerationSeconds: 30 }]);
  await create(cluster, "tolerant", [{ operator: "Exists" }]);
  await create(cluster, "saved", [{ ...noExecute, operator: "Exists", tolerationSeconds: 60 }]);
  await cluster.settle();
  await taint(cluster, { key: "soft", effect: "NoSchedule" }, noExecute);
  expect(await staying(cluster)).toEqual(["brief", "saved", "tolerant"]);
  await advance(cluster, "29s");
  expect(await staying(cluster)).toEqual(["brief", "saved", "tolerant"]);
  await using fork = cluster.fork();
  await advance(cluster, "1s");
  expect(await staying(cluster)).toEqual(["saved", "tolerant"]);
  await taint(cluster);
  await advance(cluster, "10m");
  expect(await staying(cluster)).toEqual(["saved", "tolerant"]);
  const marked = (name: string) => [
    "taint-eviction-controller",
    name,
    `Marking for deletion Pod default/${name}`,
  ];
  expect(await messages(cluster, "TaintManagerEviction")).toEqual(
    expect.arrayContaining([
      marked("intolerant"),
      marked("brief"),
      ["taint-eviction-controller", "saved", "Cancelling deletion of Pod default/saved"],
    ]),
  );
  await advance(fork, "31s");
  expect(await staying(fork)).toEqual(["tolerant"]);
});

test("an evicted pod says why", async () => {
  await using cluster = simulated();
  await cluster.settle();
  const metadata = { name: "web", finalizers: ["example.com/keep"] };
  const spec = { containers: [{ name: "main", image: "i" }], nodeName: "node-1" };
  await cluster.create({ apiVersion: "v1", kind: "Pod", metadata, spec });
  await cluster.settle();
  await taint(cluster, noExecute);
  const { status } = await cluster.get("v1", "Pod", "web");
  expect(status?.conditions?.find(({ type }) => type === "DisruptionTarget")).toMatchObject({
    status: "True",
    reason: "DeletionByTaintManager",
    message: "Taint manager: deleting due to NoExecute taint",
  });
});

test("a pod that comes to a node with taints is evicted", async () => {
  await using cluster = simulated();
  await cluster.settle();
  await taint(cluster, noExecute);
  await create(cluster, "late");
  await cluster.settle();
  expect(await messages(cluster, "TaintManagerEviction")).toHaveLength(1);
});

test("the pods of a lost node are not ready, and a Deployment replaces them after five minutes", async () => {
  await using cluster = simulated();
  const template = {
    metadata: { labels: { app: "web" } },
    spec: { containers: [{ name: "main", image: "i" }] },
  };
  const spec = { replicas: 3, selector: { matchLabels: { app: "web" } }, template };
  await cluster.create({ apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web" }, spec });
  await cluster.settle();
  const on = async (node: string) =>
    (await cluster.list("v1", "Pod")).items.filter(({ spec: { nodeName } = {} }) => nodeName === node);
  const [lost] = await on("node-2");
  const readiness = async () => {
    const { status } = await cluster.get("v1", "Pod", lost?.metadata?.name ?? "");
    return status?.conditions?.find(({ type }) => type === "Ready")?.status;
  };
  const script = cluster.pods.script({ node: "node-2" }, nodeLost());
  await cluster.settle();
  await advance(cluster, "49s");
  expect(await readiness()).toBe("True");
  await advance(cluster, "1s");
  expect(await readiness()).toBe("False");
  expect(await messages(cluster, "NodeNotReady")).toContainEqual([
    "node-controller",
    lost?.metadata?.name,
    "Node is not ready",
  ]);
  await advance(cluster, "299s");
  expect(await staying(cluster)).toHaveLength(3);
  await advance(cluster, "1s");
  const replaced = await staying(cluster);
  expect(replaced).toHaveLength(3);
  expect(replaced).not.toContain(lost?.metadata?.name);
  expect(await on("node-2")).toHaveLength(1);
  script.remove();
  await cluster.settle();
  expect(await on("node-2")).toHaveLength(0);
});

test("taints follow the conditions of a node, and cordons", async () => {
  await using cluster = simulated();
  await cluster.settle();
  const taints = async () => {
    const { spec } = await cluster.get("v1", "Node", "node-1");
    return (spec?.taints ?? []).map(({ key, effect }) => `${key}:${effect}`);
  };
  await taint(cluster, { key: "mine", effect: "NoSchedule" });
  await cluster.patch("v1", "Node", "node-1", { spec: { unschedulable: true } });
  await cluster.settle();
  expect(await taints()).toEqual(["mine:NoSchedule", "node.kubernetes.io/unschedulable:NoSchedule"]);
  const conditions = [
    { type: "Ready", status: "False" },
    { type: "DiskPressure", status: "True" },
  ];
  await cluster.patch("v1", "Node", "node-1", { spec: { unschedulable: null } });
  await cluster.settle();
  await cluster.patch("v1", "Node", "node-1", { status: { conditions } }, { subresource: "status" });
  await cluster.settle();
  expect(await taints()).toEqual([
    "mine:NoSchedule",
    "node.kubernetes.io/not-ready:NoSchedule",
    "node.kubernetes.io/disk-pressure:NoSchedule",
    "node.kubernetes.io/not-ready:NoExecute",
  ]);
  const ready = [{ type: "Ready", status: "True" }];
  await cluster.patch("v1", "Node", "node-1", { status: { conditions: ready } }, { subresource: "status" });
  await cluster.settle();
  expect(await taints()).toEqual(["mine:NoSchedule"]);
});

test("the controller says that a deleted node is gone", async () => {
  await using cluster = simulated();
  await cluster.settle();
  const { metadata } = await cluster.get("v1", "Node", "node-2");
  await cluster.delete("v1", "Node", "node-2");
  await cluster.settle();
  expect(await messages(cluster, "RemovingNode")).toEqual([
    ["node-controller", "node-2", "Node node-2 event: Removing Node node-2 from Controller"],
  ]);
  expect(metadata.uid).toBeDefined();
});

test("the controller says once that a node is there, whether or not it has a kubelet", async () => {
  await using cluster = simulated();
  await cluster.create({ apiVersion: "v1", kind: "Node", metadata: { name: "bare" } });
  await cluster.settle();
  await cluster.patch("v1", "Node", "bare", { metadata: { labels: { tier: "edge" } } });
  await cluster.settle();
  const said = await messages(cluster, "RegisteredNode");
  expect(said.toSorted()).toEqual(
    ["bare", "node-1", "node-2", "node-3"].map((name) => [
      "node-controller",
      name,
      `Node ${name} event: Registered Node ${name} in Controller`,
    ]),
  );
});
