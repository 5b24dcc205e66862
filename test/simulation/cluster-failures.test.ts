import { expect, test } from "vitest";
import { type Cluster, createCluster, type JsonObject, type KubeObject } from "../../src/index.ts";
import { namedScenario, parseScenario } from "../../src/scenario/named-scenarios.ts";
import {
  drainBlocked,
  imageUnavailable,
  nodeClockSkew,
  nodeDown,
  podWebhookDown,
  quotaUsedUp,
} from "../../src/scenario/presets.ts";

const simulated = () => createCluster({ seed: 1, simulate: true });
const inLeases = { namespace: "kube-node-lease" };

const podSpec = (image = "nginx") => ({ containers: [{ name: "main", image }] });

async function deploy(cluster: Cluster, replicas = 2) {
  const labels = { app: "web" };
  const template = { metadata: { labels }, spec: podSpec() };
  const metadata = { name: "web" };
  const spec = { replicas, selector: { matchLabels: labels }, template };
  await cluster.create({ apiVersion: "apps/v1", kind: "Deployment", metadata, spec });
  await cluster.settle();
}

/** Changes the image of the Deployment. */
async function rollOut(cluster: Cluster, image: string) {
  const template = { spec: podSpec(image) };
  await cluster.patch("apps/v1", "Deployment", "web", { spec: { template } });
  await cluster.settle();
}

async function pods(cluster: Cluster) {
  return (await cluster.list("v1", "Pod")).items;
}

async function messages(cluster: Cluster, reason: string) {
  const { items } = await cluster.list("v1", "Event");
  return items.filter((event) => event.reason === reason).map(({ message }) => message);
}

async function evict(cluster: Cluster, name: string, apiVersion = "policy/v1"): Promise<string> {
  const eviction = { apiVersion, kind: "Eviction", metadata: { name } };
  const answer = await cluster.fetch(`https://cluster.test/api/v1/namespaces/default/pods/${name}/eviction`, {
    method: "POST",
    headers: { authorization: `Bearer ${cluster.adminToken()}`, "content-type": "application/json" },
    body: JSON.stringify(eviction),
  });
  const status: JsonObject = JSON.parse(await answer.text());
  return `${answer.status} ${status["message"] ?? ""}`.trim();
}

async function readiness(cluster: Cluster, name: string) {
  const { status, spec } = await cluster.get("v1", "Node", name);
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  return [ready?.status, spec?.taints?.length ?? 0] as const;
}

async function advance(cluster: Cluster, duration: string) {
  await cluster.clock.advance(duration);
  await cluster.settle();
}

test("a node that is down becomes NotReady with or without pods, and comes back", async () => {
  await using cluster = simulated();
  await cluster.settle();
  const fault = cluster.inject(nodeDown({ node: "node-2" }));
  await advance(cluster, "49s");
  expect(await readiness(cluster, "node-2")).toEqual(["True", 0]);
  await advance(cluster, "1s");
  expect(await readiness(cluster, "node-2")).toEqual(["Unknown", 2]);
  expect(await readiness(cluster, "node-1")).toEqual(["True", 0]);
  expect(fault.hits).toBe(1);
  await using fork = cluster.fork();
  await fork.settle();
  expect(await readiness(fork, "node-2")).toEqual(["True", 0]);
  fault.remove();
  await cluster.settle();
  expect(await readiness(cluster, "node-2")).toEqual(["True", 0]);
  await advance(cluster, "10m");
  expect(await readiness(cluster, "node-2")).toEqual(["True", 0]);
});

test("the pods of a node that is down are evicted, and a Deployment makes others elsewhere", async () => {
  await using cluster = simulated();
  await deploy(cluster, 3);
  cluster.inject(nodeDown({ node: "node-1" }));
  await advance(cluster, "50s");
  await advance(cluster, "6m");
  const nodes = (await pods(cluster))
    .filter(({ metadata }) => metadata?.deletionTimestamp === undefined)
    .map(({ spec }) => spec?.nodeName);
  expect(nodes).toHaveLength(3);
  expect(nodes).not.toContain("node-1");
});

test("a node that is down before it starts is lost from its start", async () => {
  await using cluster = simulated();
  cluster.inject(nodeDown({ node: "node-1" }));
  await cluster.settle();
  await advance(cluster, "1m");
  expect(await readiness(cluster, "node-1")).toEqual(["Unknown", 2]);
});

test("a clock that is set back makes a node unreachable until it reports its status", async () => {
  await using cluster = simulated();
  await cluster.settle();
  await advance(cluster, "1h");
  const start = cluster.clock.now();
  const renewed = async () => {
    const { spec } = await cluster.get("coordination.k8s.io/v1", "Lease", "node-1", inLeases);
    return (Date.parse(spec?.renewTime ?? "") - start) / 1000;
  };
  const fault = cluster.inject(nodeClockSkew({ node: "node-1", by: "-10m" }));
  await cluster.settle();
  expect(await renewed()).toBe(-600);
  await advance(cluster, "50s");
  expect(await renewed()).toBe(-550);
  expect(await readiness(cluster, "node-1")).toEqual(["True", 0]);
  await advance(cluster, "5s");
  expect(await readiness(cluster, "node-1")).toEqual(["Unknown", 2]);
  await advance(cluster, "5s");
  expect(await readiness(cluster, "node-1")).toEqual(["True", 0]);
  const { status } = await cluster.get("v1", "Node", "node-1");
  const [condition] = status?.conditions ?? [];
  expect(Date.parse(String(condition?.lastHeartbeatTime)) - start).toBe(-540_000);
  await advance(cluster, "30m");
  expect(await readiness(cluster, "node-1")).toEqual(["True", 0]);
  expect(await messages(cluster, "NodeNotReady")).toEqual(["Node node-1 status is now: NodeNotReady"]);
  fault.remove();
  await cluster.settle();
  expect(await renewed()).toBe(31 * 60);
  await advance(cluster, "1h");
  expect(await renewed()).toBe(31 * 60);
  expect(await readiness(cluster, "node-1")).toEqual(["True", 0]);
});

test("a clock that is fast is noticed only when it is set right", async () => {
  await using cluster = simulated();
  await cluster.settle();
  const fault = cluster.inject(nodeClockSkew({ node: "node-1", by: 3_600_000 }));
  await advance(cluster, "20m");
  expect(fault.hits).toBeGreaterThan(0);
  expect(await messages(cluster, "NodeNotReady")).toEqual([]);
  fault.remove();
  await advance(cluster, "1m");
  expect(await messages(cluster, "NodeNotReady")).toEqual(["Node node-1 status is now: NodeNotReady"]);
  await advance(cluster, "10m");
  expect(await readiness(cluster, "node-1")).toEqual(["True", 0]);
});

test("a skew that is shorter than the grace period harms nothing", async () => {
  await using cluster = simulated();
  await cluster.settle();
  cluster.inject(nodeClockSkew({ node: "node-1", by: "-30s" }));
  await advance(cluster, "10m");
  expect(await messages(cluster, "NodeNotReady")).toEqual([]);
});

test.each(["1.20", "1.32"])("a blocked drain evicts nothing until it is released in %s", async (release) => {
  await using cluster = createCluster({ seed: 1, simulate: true, release });
  await deploy(cluster, 1);
  const [pod] = await pods(cluster);
  const name = pod?.metadata?.name ?? "";
  const fault = cluster.inject(drainBlocked());
  await cluster.settle();
  const refusal = "429 Cannot evict pod as it would violate the pod's disruption budget.";
  const apiVersion = release === "1.20" ? "policy/v1beta1" : "policy/v1";
  const ask = () => evict(cluster, name, apiVersion);
  expect(await ask()).toBe(refusal);
  expect(fault.hits).toBe(1);
  expect(await cluster.get(apiVersion, "PodDisruptionBudget", "drain-blocked")).toMatchObject({
    status: { disruptionsAllowed: 0, expectedPods: 1 },
  });
  fault.remove();
  await cluster.settle();
  expect(await ask()).toBe("201");
});

test("blocked drains are for the pods that labels select, and two of them do not meet", async () => {
  await using cluster = simulated();
  for (const app of ["a", "b", "c"])
    await cluster.create({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: app, labels: { app } },
      spec: podSpec(),
    });
  const first = cluster.inject(drainBlocked({ labels: { app: "a" } }));
  cluster.inject(parseScenario("drainBlocked:labels=app=b"));
  await cluster.settle();
  expect(await evict(cluster, "c")).toBe("201");
  expect(await evict(cluster, "a")).toContain("429 ");
  expect(await evict(cluster, "b")).toContain("429 ");
  first.remove();
  await cluster.settle();
  expect(await evict(cluster, "b")).toContain("429 ");
  expect(await evict(cluster, "a")).toBe("201");
});

test("a quota that is used up stops a rollout until it is released", async () => {
  await using cluster = simulated();
  await deploy(cluster);
  const fault = cluster.inject(quotaUsedUp());
  await rollOut(cluster, "nginx:2");
  const text =
    /^Error creating: pods "web-.*" is forbidden: exceeded quota: quota-used-up, requested: pods=1, used: pods=2, limited: pods=2$/;
  expect((await messages(cluster, "FailedCreate"))[0]).toMatch(text);
  const conditions = async () =>
    ((await cluster.get<KubeObject>("apps/v1", "Deployment", "web"))["status"] as JsonObject)["conditions"];
  expect(await conditions()).toContainEqual(
    expect.objectContaining({ type: "ReplicaFailure", status: "True", reason: "FailedCreate" }),
  );
  expect(fault.hits).toBeGreaterThan(0);
  fault.remove();
  await advance(cluster, "1m");
  const images = (await pods(cluster)).map(({ spec }) => spec?.containers[0]?.image);
  expect(images).toEqual(["nginx:2", "nginx:2"]);
});

test("a webhook without a server blocks pods until it is released, those of clients as well", async () => {
  await using cluster = simulated();
  await cluster.settle();
  const fault = cluster.inject(podWebhookDown());
  await deploy(cluster, 1);
  expect(await pods(cluster)).toEqual([]);
  expect((await messages(cluster, "FailedCreate"))[0]).toBe(
    'Error creating: Internal error occurred: failed calling webhook "pod-webhook-down.example.com": failed to call webhook: Post "https://pod-webhook-down.default.svc:443/?timeout=10s": service "pod-webhook-down" not found',
  );
  const hits = fault.hits;
  expect(hits).toBeGreaterThan(0);
  const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "mine" }, spec: podSpec() };
  await expect(cluster.as("root", { groups: ["system:masters"] }).create(pod)).rejects.toMatchObject({
    code: 500,
  });
  expect(fault.hits).toBe(hits + 1);
  fault.remove();
  await advance(cluster, "1m");
  expect(await pods(cluster)).toHaveLength(1);
});

test("an image that is unavailable is pulled once it is there", async () => {
  await using cluster = simulated();
  const fault = cluster.inject(imageUnavailable({ image: /broken/, message: "no such image" }));
  const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, spec: podSpec("broken:1") };
  await cluster.create(pod);
  await cluster.settle();
  const waiting = async () =>
    (await cluster.get("v1", "Pod", "p")).status?.containerStatuses?.[0]?.state?.waiting?.reason;
  expect(await waiting()).toBe("ImagePullBackOff");
  expect(await messages(cluster, "Failed")).toContain('Failed to pull image "broken:1": no such image');
  expect(fault.hits).toBe(1);
  fault.remove();
  await advance(cluster, "1m");
  expect(await waiting()).toBeUndefined();
});

test("a failure ends with its duration, and a fork has none of it", async () => {
  await using cluster = simulated();
  const fault = cluster.inject(quotaUsedUp({ lasting: "1m" }));
  await cluster.settle();
  const quotas = async (of: Cluster) => (await of.list("v1", "ResourceQuota")).items.length;
  expect(await quotas(cluster)).toBe(1);
  await using fork = cluster.fork();
  await fork.settle();
  expect([await quotas(cluster), await quotas(fork)]).toEqual([1, 0]);
  await advance(cluster, "1m");
  expect([fault.isOver, await quotas(cluster)]).toEqual([true, 0]);
});

test("a failure in a namespace that comes later begins with it, and lasts over a restored snapshot", async () => {
  await using cluster = simulated();
  const namespace = "shop";
  await cluster.settle();
  const before = cluster.snapshot();
  cluster.inject(drainBlocked({ namespace }));
  const budgets = async () => (await cluster.list("policy/v1", "PodDisruptionBudget", { namespace })).items;
  const create = async () => {
    await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    await cluster.settle();
  };
  await create();
  expect(await budgets()).toHaveLength(1);
  cluster.restore(before);
  await cluster.settle();
  expect(await budgets()).toHaveLength(0);
  await create();
  expect(await budgets()).toHaveLength(1);
});

test.each([
  [nodeDown({ node: "n" }), ["workloads", "scheduler"], "nodeDown", "kubelets"],
  [nodeClockSkew({ node: "n", by: 1 }), ["workloads"], "nodeClockSkew", "kubelets"],
  [imageUnavailable({ image: "i" }), [], "imageUnavailable", "kubelets"],
  [drainBlocked(), ["kubelets"], "drainBlocked", "workloads"],
  [quotaUsedUp(), false, "quotaUsedUp", "workloads"],
  [podWebhookDown(), ["scheduler"], "podWebhookDown", "workloads"],
] as const)("a failure needs the part that fails: %#", async (scenario, simulate, name, part) => {
  await using cluster = createCluster({ simulate });
  expect(() => cluster.inject(scenario)).toThrow(
    `${name} needs the part "${part}" of a simulated cluster: createCluster({ simulate: true }), or simulate: ["${part}"]`,
  );
  expect(cluster.faults.inForce).toEqual([]);
});

test("an unused failure of the cluster says what it waits for", async () => {
  await using cluster = simulated();
  cluster.inject(nodeDown({ node: "node-9" }));
  await advance(cluster, "10m");
  expect(() => cluster.faults.check()).toThrow(
    "The fault nodeDown was never used: it waits for the node node-9 to be marked as not ready",
  );
});

test.each([
  ["nodeDown", {}, 'nodeDown needs the option node: a name such as "web-1"'],
  [
    "nodeClockSkew",
    { node: "n", by: "0s" },
    'nodeClockSkew: by must be a number of milliseconds other than 0, or a duration such as "-5m", not "0s"',
  ],
  [
    "drainBlocked",
    { labels: "app" },
    'drainBlocked: labels must be an object of labels and their values, not "app"',
  ],
  ["quotaUsedUp", { times: 2 }, 'quotaUsedUp: unknown option "times"'],
])("wrong options of %s are errors: %j", (name, options, message) => {
  expect(() => namedScenario(name, options)).toThrow(message);
});

test("a fork that is made while a failure begins does not keep its object", async () => {
  await using cluster = simulated();
  await cluster.settle();
  await using warm = cluster.fork();
  warm.inject(quotaUsedUp());
  await warm.settle();
  cluster.inject(quotaUsedUp());
  const forks: Cluster[] = [];
  const quotas = async (of: Cluster) => (await of.list("v1", "ResourceQuota")).items.length;
  for (let turn = 0; turn < 300; turn++) {
    forks.push(cluster.fork());
    await Promise.resolve();
  }
  await cluster.settle();
  expect(await quotas(cluster)).toBe(1);
  for (const fork of forks) {
    await fork.settle();
    expect(await quotas(fork)).toBe(0);
    await fork.close();
  }
});
