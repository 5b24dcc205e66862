import { describe, expect, test } from "vitest";
import type { Cluster } from "../../src/index.ts";
import { clusterOf, container, create, type Labels, near, nodeOf, obstacle } from "./scheduled-pods.ts";

const cpu = (amount: string) => ({
  containers: [{ ...container, resources: { requests: { cpu: amount } } }],
});

const required = (...terms: object[]) => ({ requiredDuringSchedulingIgnoredDuringExecution: terms });

describe("required affinity to pods", () => {
  const zones = { a: { zone: "z1" }, b: { zone: "z2" } };
  const unmatched = "0/2 nodes are available: 2 node(s) didn't match pod affinity rules.";
  const both = [near("zone", { service: "x" }), near("zone", { security: "s" })];

  test.each<readonly [string, readonly object[], readonly (readonly [string, Labels])[], Labels, string]>([
    ["one pod matches all terms", both, [["a", { service: "x", security: "s" }]], {}, "a"],
    [
      "each term has a pod, but none matches all",
      both,
      [
        ["a", { service: "x" }],
        ["a", { security: "s" }],
      ],
      {},
      unmatched,
    ],
    [
      "only the pod itself matches all terms",
      both,
      [["a", { service: "x" }]],
      { service: "x", security: "s" },
      "scheduled",
    ],
    [
      "the node of the only other match lacks the topology key",
      [near("rack", { app: "x" })],
      [["a", { app: "x" }]],
      { app: "x" },
      "b",
    ],
  ])("%s", async (_title, terms, existing, labels, expected) => {
    await using cluster = await clusterOf({ ...zones, b: { zone: "z2", rack: "r1" } });
    for (const [index, [nodeName, own]] of existing.entries())
      await create(cluster, `existing-${index}`, own, { nodeName });
    await create(cluster, "new", labels, { affinity: { podAffinity: required(...terms) } });
    const node = await nodeOf(cluster, "new");
    const outcome = expected === "scheduled" && node !== undefined ? "scheduled" : node;
    expect(outcome ?? (await obstacle(cluster, "new"))).toBe(expected);
  });
});

test("sidecars need their ports of the node, init containers that end do not", async () => {
  await using cluster = await clusterOf({ a: {} });
  const withPort = (restartPolicy?: string) => ({
    initContainers: [
      { ...container, name: "init", restartPolicy, ports: [{ containerPort: 80, hostPort: 80 }] },
    ],
  });
  await create(cluster, "init", {}, withPort());
  await create(cluster, "first", {}, withPort("Always"));
  await create(cluster, "second", {}, withPort("Always"));
  expect([await nodeOf(cluster, "init"), await nodeOf(cluster, "first")]).toEqual(["a", "a"]);
  expect(await obstacle(cluster, "second")).toBe(
    "0/1 nodes are available: 1 node(s) didn't have free ports for the requested pod ports.",
  );
});

/** How often the scheduler has said that it found no node for a pod. */
async function tries(cluster: Cluster, name: string): Promise<number> {
  const { items } = await cluster.list("events.k8s.io/v1", "Event", { namespace: "default" });
  const about = items.filter(
    ({ regarding, reason }) => regarding?.name === name && reason === "FailedScheduling",
  );
  return about.reduce((sum, { series }) => sum + (series?.count ?? 1), 0);
}

interface Retry {
  /** The spec of a pod with the label `app: new` that waits. */
  readonly spec: object;
  /** What changes. */
  readonly change: (cluster: Cluster) => Promise<unknown>;
  /** The node that the pod gets, or how often it was tried. */
  readonly outcome: string | number;
}

const apart = { affinity: { podAntiAffinity: required(near("kind", { app: "old" })) } };
const together = { affinity: { podAffinity: required(near("zone", { app: "other" })) } };
const label = (app: string) => (cluster: Cluster) =>
  cluster.patch("v1", "Pod", "old", { metadata: { labels: { app } } });
const claim = {
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name: "data", namespace: "default" },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
};

/** Upstream: `EventsToRegister` of the plugins. */
test.each<readonly [string, Retry]>([
  ["anti-affinity, a placed pod gets other labels", { spec: apart, change: label("x"), outcome: "a" }],
  ["affinity, a placed pod gets the labels", { spec: together, change: label("other"), outcome: "a" }],
  [
    "affinity, a pod is placed",
    { spec: together, change: (cluster) => create(cluster, "other", { app: "other" }), outcome: "a" },
  ],
  [
    "affinity, another pod is placed",
    { spec: together, change: (cluster) => create(cluster, "other", { app: "x" }), outcome: 1 },
  ],
  ["resources, a placed pod gets other labels", { spec: cpu("5"), change: label("x"), outcome: 1 }],
  [
    "resources, a placed pod requests less",
    {
      spec: cpu("3"),
      change: (cluster) => cluster.patch("v1", "Pod", "old", { spec: cpu("1") }, { subresource: "resize" }),
      outcome: "a",
    },
  ],
  [
    "resources, a claim of another pod is created",
    { spec: cpu("5"), change: (cluster) => cluster.create(claim), outcome: 1 },
  ],
  [
    "resources, a node is deleted",
    { spec: cpu("5"), change: (cluster) => cluster.delete("v1", "Node", "b"), outcome: 1 },
  ],
  [
    "anti-affinity, a claim is created",
    {
      spec: { ...apart, volumes: [{ name: "x", emptyDir: {} }] },
      change: (cluster) => cluster.create(claim),
      outcome: 1,
    },
  ],
])("a pod that waits because of %s", async (_title, { spec, change, outcome }) => {
  await using cluster = await clusterOf({ a: { zone: "z1", kind: "k" }, b: { zone: "z2", kind: "k" } });
  await cluster.patch("v1", "Node", "b", { spec: { unschedulable: true } });
  await create(cluster, "old", { app: "old" }, { ...cpu("2"), nodeName: "a" });
  await create(cluster, "new", { app: "new" }, spec);
  expect(await nodeOf(cluster, "new")).toBeUndefined();
  await change(cluster);
  await cluster.settle();
  expect((await nodeOf(cluster, "new")) ?? (await tries(cluster, "new"))).toBe(outcome);
});

test("a pod whose constraint counts an empty zone is tried again when its node is deleted", async () => {
  await using cluster = await clusterOf({ a: { zone: "z1" }, b: { zone: "z2" } });
  await cluster.patch("v1", "Node", "b", { spec: { unschedulable: true } });
  const constraint = { ...near("zone", { app: "new" }), maxSkew: 1, whenUnsatisfiable: "DoNotSchedule" };
  await create(cluster, "old", { app: "new" }, { nodeName: "a" });
  await create(cluster, "new", { app: "new" }, { topologySpreadConstraints: [constraint] });
  expect(await obstacle(cluster, "new")).toBe(
    "0/2 nodes are available: 1 node(s) didn't match pod topology spread constraints, 1 node(s) were unschedulable.",
  );
  await cluster.delete("v1", "Node", "b");
  await cluster.settle();
  expect(await nodeOf(cluster, "new")).toBe("a");
});

describe("the room that others leave for a pod", () => {
  /** Two pods that may not be on one node, on nodes that are full until their pods have terminated. */
  async function preempting(cluster: Cluster, affinity: object): Promise<readonly unknown[]> {
    const metadata = { name: "high" };
    await cluster.create({
      apiVersion: "scheduling.k8s.io/v1",
      kind: "PriorityClass",
      metadata,
      value: 1000,
    });
    for (const name of ["a", "b"]) {
      await create(cluster, `low-${name}`, {}, { ...cpu("3"), nodeName: name });
    }
    const spec = { ...cpu("1500m"), priorityClassName: "high", affinity };
    await create(cluster, "first", { app: "high" }, spec);
    await create(cluster, "second", { app: "high" }, spec);
    const pods = await Promise.all(["first", "second"].map((name) => cluster.get("v1", "Pod", name)));
    return pods.map(({ status }) => status?.nominatedNodeName).toSorted();
  }

  test("keeps others away by its anti-affinity", async () => {
    await using cluster = await clusterOf({ a: { host: "a" }, b: { host: "b" } });
    const affinity = { podAntiAffinity: required(near("host", { app: "high" })) };
    expect(await preempting(cluster, affinity)).toEqual(["a", "b"]);
  });

  test("is free for others when the pod is deleted", async () => {
    await using cluster = await clusterOf({ a: {} });
    const metadata = { name: "high" };
    await cluster.create({
      apiVersion: "scheduling.k8s.io/v1",
      kind: "PriorityClass",
      metadata,
      value: 1000,
    });
    await create(cluster, "low", {}, { ...cpu("3"), nodeName: "a" });
    await create(cluster, "first", {}, { ...cpu("4"), priorityClassName: "high" });
    expect((await cluster.get("v1", "Pod", "first")).status?.nominatedNodeName).toBe("a");
    await create(cluster, "small", {}, cpu("1"));
    expect(await obstacle(cluster, "small")).toBe("0/1 nodes are available: 1 Insufficient cpu.");
    await cluster.delete("v1", "Pod", "first", { gracePeriodSeconds: 0 });
    await cluster.settle();
    expect(await nodeOf(cluster, "small")).toBe("a");
  });
});

test.each([
  ["a", "a"],
  ["other", "b"],
])(
  "a pod that is nominated for %s goes to %s, although b is emptier than a",
  async (nominatedNodeName, expected) => {
    await using cluster = await clusterOf({ a: {}, b: {} });
    await create(cluster, "old", {}, { ...cpu("2"), nodeName: "a" });
    await create(cluster, "new", {}, { schedulingGates: [{ name: "example.com/wait" }] });
    await cluster.patch("v1", "Pod", "new", { status: { nominatedNodeName } }, { subresource: "status" });
    await cluster.patch("v1", "Pod", "new", { spec: { schedulingGates: [] } });
    await cluster.settle();
    expect(await nodeOf(cluster, "new")).toBe(expected);
  },
);
