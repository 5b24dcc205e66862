import { expect, test } from "vitest";
import { type Cluster, type ClusterOptions, createCluster, type JsonObject } from "../../src/index.ts";
import { nodeDown } from "../../src/scenario/presets.ts";

type Labels = { readonly [name: string]: string };

const inZone = (zone: string): Labels => ({ "topology.kubernetes.io/zone": zone });
const simulated = (options: ClusterOptions = {}) =>
  createCluster({ seed: 1, simulate: ["workloads"], ...options });

async function add(cluster: Cluster, names: readonly string[], labels: Labels = {}) {
  for (const name of names) {
    const status = { conditions: [{ type: "Ready", status: "True" }] };
    await cluster.create({ apiVersion: "v1", kind: "Node", metadata: { name, labels }, status });
  }
  await cluster.settle();
}

/** Lets the kubelets of nodes report this. */
async function report(cluster: Cluster, names: readonly string[], status: "True" | "False" | "Unknown") {
  const conditions = [{ type: "Ready", status }];
  for (const name of names)
    await cluster.patch("v1", "Node", name, { status: { conditions } }, { subresource: "status" });
  await cluster.settle();
}

async function advance(cluster: Cluster, duration: string) {
  await cluster.clock.advance(duration);
  await cluster.settle();
}

/** The nodes with a taint of the effect NoExecute. */
async function tainted(cluster: Cluster, key = ""): Promise<readonly (string | undefined)[]> {
  const { items } = await cluster.list("v1", "Node");
  const isTainted = ({ spec }: (typeof items)[number]) =>
    (spec?.taints ?? []).some((taint) => taint.effect === "NoExecute" && taint.key.includes(key));
  return items.filter(isTainted).map(({ metadata }) => metadata.name);
}

const five = ["a", "b", "c", "d", "e"];

test("the nodes of a zone that are not ready get their taints one by one, each 10 seconds after the last", async () => {
  await using cluster = simulated();
  await add(cluster, five);
  await add(cluster, ["other"], inZone("other"));
  await report(cluster, ["a", "b", "other"], "Unknown");
  expect(await tainted(cluster)).toEqual(["a", "other"]);
  await advance(cluster, "9s");
  await using fork = cluster.fork();
  for (const one of [cluster, fork]) {
    expect(await tainted(one)).toEqual(["a", "other"]);
    await advance(one, "1s");
    expect(await tainted(one, "unreachable")).toEqual(["a", "b", "other"]);
  }
  await report(cluster, ["a"], "True");
  expect(await tainted(cluster)).toEqual(["b", "other"]);
  await report(cluster, ["c"], "False");
  expect(await tainted(cluster)).toEqual(["b", "other"]);
  await advance(cluster, "10s");
  expect(await tainted(cluster, "not-ready")).toEqual(["c"]);
});

test("a node that waits and becomes ready gets no taint, and a taint changes at once", async () => {
  await using cluster = simulated();
  await add(cluster, five);
  await report(cluster, ["a", "b"], "False");
  await report(cluster, ["b"], "True");
  await report(cluster, ["a"], "Unknown");
  expect(await tainted(cluster, "unreachable")).toEqual(["a"]);
  await advance(cluster, "1m");
  expect(await tainted(cluster)).toEqual(["a"]);
});

test("a small zone of which most nodes are not ready gets no more taints, until enough have recovered", async () => {
  await using cluster = simulated();
  await add(cluster, five);
  await report(cluster, ["c"], "Unknown");
  await report(cluster, ["a", "b"], "Unknown");
  await advance(cluster, "1h");
  expect(await tainted(cluster)).toEqual(["c"]);
  await report(cluster, ["c"], "True");
  expect(await tainted(cluster)).toEqual([]);
  await advance(cluster, "10s");
  expect(await tainted(cluster)).toEqual(["a"]);
  await advance(cluster, "10s");
  expect(await tainted(cluster)).toEqual(["a", "b"]);
});

test("a large zone of which most nodes are not ready gets a taint every 100 seconds", async () => {
  await using cluster = simulated();
  const names = Array.from({ length: 51 }, (_, index) => `node-${index + 10}`);
  await add(cluster, names);
  await report(cluster, names.slice(0, 30), "Unknown");
  const count = async () => (await tainted(cluster)).length;
  const before = await count();
  await advance(cluster, "99s");
  expect(await count()).toBe(before);
  await advance(cluster, "1s");
  expect(await count()).toBe(before + 1);
});

test("once no zone has a ready node, all lose their taints, until one recovers", async () => {
  await using cluster = simulated();
  const zones = { a: ["a1", "a2"], b: ["b1", "b2"] };
  for (const [zone, names] of Object.entries(zones)) await add(cluster, names, inZone(zone));
  await report(cluster, zones.a, "Unknown");
  expect(await tainted(cluster)).toEqual(["a1"]);
  await advance(cluster, "10s");
  expect(await tainted(cluster)).toEqual(["a1", "a2"]);
  await report(cluster, zones.b, "Unknown");
  expect(await tainted(cluster)).toEqual([]);
  await advance(cluster, "1h");
  expect(await tainted(cluster)).toEqual([]);
  await report(cluster, ["b1"], "True");
  expect(await tainted(cluster)).toEqual([]);
  await advance(cluster, "10s");
  expect(await tainted(cluster)).toEqual(["a1", "b2"]);
  await advance(cluster, "10s");
  expect(await tainted(cluster)).toEqual(["a1", "a2", "b2"]);
});

test("the pods of a simulated cluster stay if all of its nodes are down", async () => {
  await using cluster = simulated({ simulate: true });
  const containers = [{ name: "main", image: "i" }];
  await cluster.create({ apiVersion: "v1", kind: "Pod", metadata: { name: "web" }, spec: { containers } });
  await cluster.settle();
  const failures = ["node-1", "node-2", "node-3"].map((node) => cluster.inject(nodeDown({ node })));
  await cluster.settle();
  await advance(cluster, "50s");
  expect(await tainted(cluster)).toEqual([]);
  await advance(cluster, "1h");
  const { metadata } = await cluster.get("v1", "Pod", "web");
  expect(metadata?.deletionTimestamp).toBeUndefined();
  const { items } = await cluster.list("v1", "Event");
  expect(items.filter(({ reason }) => reason === "TaintManagerEviction")).toEqual([]);
  for (const failure of failures) failure.remove();
  await cluster.settle();
  expect(await tainted(cluster)).toEqual([]);
});

const beta = (zone: string): Labels => ({ "failure-domain.beta.kubernetes.io/zone": zone });
const excluded: Labels = { "node.kubernetes.io/exclude-disruption": "" };

test.each([
  ["1.36", "the label of a zone", inZone("z"), "y", ["x", "y"]],
  ["1.36", "the label of a region", { "topology.kubernetes.io/region": "r" }, "y", ["x", "y"]],
  ["1.36", "the older label of a zone", { ...inZone(""), ...beta("z") }, "y", ["x", "y"]],
  ["1.16", "the older label of a zone", beta("z"), "y", ["x", "y"]],
  ["1.16", "the label of a zone, which has no meaning", inZone("z"), "y", ["x"]],
  ["1.36", "a node that does not count", excluded, "y", []],
  ["1.18", "a node that counts in spite of its label", excluded, "y", ["x"]],
  ["1.20", "a node that does not count because of its name", {}, "y-master", []],
  ["1.20", "a node with a similar name", {}, "y-master-1", ["x"]],
  ["1.21", "a node that counts whatever its name", {}, "y-master", ["x"]],
] as const)("in %s: %s", async (release, _title, labels, name, expected) => {
  await using cluster = simulated({ release });
  await add(cluster, ["x"]);
  if (expected.length === 2) await add(cluster, ["x2"], labels);
  await add(cluster, [name], labels);
  await report(cluster, expected.length === 2 ? [name] : [], "Unknown");
  await report(cluster, ["x"], "Unknown");
  expect(await tainted(cluster)).toEqual(expected);
});

test("a node without a kubelet is unknown after a minute", async () => {
  await using cluster = simulated();
  await add(cluster, ["other"]);
  const metadata = { name: "bare" };
  await cluster.create({ apiVersion: "v1", kind: "Node", metadata });
  const spec = { nodeName: "bare", containers: [{ name: "main", image: "i" }] };
  await cluster.create({ apiVersion: "v1", kind: "Pod", metadata: { name: "web" }, spec });
  await cluster.settle();
  const node = await cluster.get("v1", "Node", "bare");
  expect([node.spec?.taints, node.status?.conditions]).toEqual([undefined, undefined]);
  await advance(cluster, "59s");
  await using fork = cluster.fork();
  const before = await cluster.get("v1", "Node", "bare");
  expect(before.metadata.resourceVersion).toBe(node.metadata.resourceVersion);
  for (const one of [cluster, fork]) {
    await advance(one, "1s");
    const { spec: changed, status } = await one.get("v1", "Node", "bare");
    expect(status?.conditions?.map(({ type }) => type)).toEqual([
      "Ready",
      "MemoryPressure",
      "DiskPressure",
      "PIDPressure",
    ]);
    for (const condition of status?.conditions ?? [])
      expect(condition).toMatchObject({
        status: "Unknown",
        reason: "NodeStatusNeverUpdated",
        message: "Kubelet never posted node status.",
        lastHeartbeatTime: node.metadata.creationTimestamp,
        lastTransitionTime: new Date(one.clock.now()).toISOString().replace(/\.\d+/, ""),
      });
    expect(changed?.taints?.map(({ key, effect }) => `${key}:${effect}`)).toEqual([
      "node.kubernetes.io/unreachable:NoSchedule",
      "node.kubernetes.io/unreachable:NoExecute",
    ]);
    const { items } = await one.list("v1", "Event");
    expect(items.filter(({ reason }) => reason === "NodeNotReady")).toEqual([]);
  }
  const deleted = async () => (await cluster.get("v1", "Pod", "web")).metadata?.deletionTimestamp;
  await advance(cluster, "299s");
  expect(await deleted()).toBeUndefined();
  await advance(cluster, "1s");
  expect(await deleted()).toBeDefined();
});

test("a kubelet that only renews its Lease, and one that loses its condition, have a minute from then on", async () => {
  await using cluster = simulated();
  const namespace = "kube-node-lease";
  await cluster.create({ apiVersion: "v1", kind: "Node", metadata: { name: "bare" } });
  await add(cluster, ["lost"]);
  await advance(cluster, "50s");
  const renewTime = new Date(cluster.clock.now()).toISOString().replace("Z", "000Z");
  const lease: JsonObject = { apiVersion: "coordination.k8s.io/v1", kind: "Lease" };
  await cluster.create({ ...lease, metadata: { name: "bare", namespace }, spec: { renewTime } });
  await cluster.patch("v1", "Node", "lost", { status: { conditions: null } }, { subresource: "status" });
  const reasons = async () =>
    (await cluster.list("v1", "Node")).items.map(({ status }) => status?.conditions?.[0]?.reason);
  await advance(cluster, "59s");
  expect(await reasons()).toEqual([undefined, undefined]);
  await advance(cluster, "1s");
  expect(await reasons()).toEqual(["NodeStatusNeverUpdated", "NodeStatusNeverUpdated"]);
});
