import { describe, expect, test } from "vitest";
import { type Cluster, type ClusterOptions, createCluster, type KubeObject } from "../../src/index.ts";

/** A cluster whose scheduler runs, with these nodes. Its clock stands, and no kubelet does anything. */
async function clusterWith(...nodes: readonly Parameters<Cluster["addNode"]>[0][]): Promise<Cluster> {
  return clusterOf({}, ...nodes);
}

async function clusterOf(
  options: ClusterOptions,
  ...nodes: readonly Parameters<Cluster["addNode"]>[0][]
): Promise<Cluster> {
  const cluster = createCluster({ seed: 1, simulate: ["scheduler"], ...options });
  for (const node of nodes) await addNode(cluster, node);
  return cluster;
}

/** Without kubelets, the taint of a new node stays. */
async function addNode(cluster: Cluster, node: Parameters<Cluster["addNode"]>[0]): Promise<void> {
  const { taints = [], ...options } = node;
  const capacity = { cpu: "4", memory: "8Gi", pods: "10", ...node.capacity };
  await cluster.addNode({
    ...options,
    capacity,
    labels: { "kubernetes.io/hostname": node.name, ...node.labels },
  });
  await cluster.patch("v1", "Node", node.name, { spec: { taints } });
}

interface PodOptions {
  readonly labels?: { readonly [key: string]: string };
  readonly cpu?: string;
  readonly spec?: object;
}

function pod(name: string, { cpu, labels = {}, spec = {} }: PodOptions = {}): object {
  const resources = cpu === undefined ? {} : { requests: { cpu } };
  const metadata = { name, namespace: "default", labels };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata,
    spec: { containers: [{ name: "web", image: "nginx", resources }], ...spec },
  };
}

async function scheduled(cluster: Cluster, ...manifests: readonly object[]): Promise<readonly unknown[]> {
  for (const manifest of manifests) await cluster.create(manifest);
  await cluster.settle();
  return Promise.all(
    manifests.map((manifest) => nodeOf(cluster, (manifest as KubeObject).metadata.name ?? "")),
  );
}

async function nodeOf(cluster: Cluster, name: string): Promise<string | undefined> {
  return (await cluster.get("v1", "Pod", name)).spec?.nodeName;
}

/** What the condition PodScheduled says. */
async function obstacle(cluster: Cluster, name: string): Promise<string | undefined> {
  const { status } = await cluster.get("v1", "Pod", name);
  return status?.conditions?.find(({ type }) => type === "PodScheduled")?.message;
}

async function events(cluster: Cluster): Promise<readonly string[]> {
  const { items } = await cluster.list("v1", "Event", { namespace: "default" });
  return items.map(({ involvedObject, reason, message }) => `${involvedObject.name} ${reason}: ${message}`);
}

test("a pod is bound, with the event and the condition", async () => {
  await using cluster = await clusterWith({ name: "a" });
  expect(await scheduled(cluster, pod("web"))).toEqual(["a"]);
  const { status } = await cluster.get("v1", "Pod", "web");
  expect(status?.conditions).toMatchObject([{ type: "PodScheduled", status: "True" }]);
  expect(await events(cluster)).toEqual(["web Scheduled: Successfully assigned default/web to a"]);
});

test("pods of other schedulers and pods with gates wait, until the gates are gone", async () => {
  await using cluster = await clusterWith({ name: "a" });
  const gated = pod("gated", { spec: { schedulingGates: [{ name: "example.com/wait" }] } });
  expect(await scheduled(cluster, gated, pod("other", { spec: { schedulerName: "mine" } }))).toEqual([
    undefined,
    undefined,
  ]);
  await cluster.patch("v1", "Pod", "gated", { spec: { schedulingGates: [] } });
  await cluster.settle();
  expect([await nodeOf(cluster, "gated"), await nodeOf(cluster, "other")]).toEqual(["a", undefined]);
});

const noVictims = (nodes: number) =>
  `preemption: 0/${nodes} nodes are available: ${nodes} No preemption victims found for incoming pod.`;
const noHelp = (nodes: number) =>
  `preemption: 0/${nodes} nodes are available: ${nodes} Preemption is not helpful for scheduling.`;

describe("a pod that no node takes says why", () => {
  const required = (term: object) => ({
    affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } },
  });
  const nearby = { topologyKey: "kubernetes.io/hostname", labelSelector: { matchLabels: { app: "first" } } };
  test.each<readonly [string, PodOptions, string]>([
    ["cpu", { cpu: "3500m" }, `0/2 nodes are available: 2 Insufficient cpu. ${noVictims(2)}`],
    [
      "a selector",
      { spec: { nodeSelector: { disk: "ssd" } } },
      `0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector. ${noHelp(2)}`,
    ],
    [
      "anti-affinity",
      { spec: required(nearby) },
      `0/2 nodes are available: 2 node(s) didn't match pod anti-affinity rules. ${noVictims(2)}`,
    ],
    [
      "affinity",
      {
        spec: {
          affinity: {
            podAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: [
                { topologyKey: "kubernetes.io/hostname", labelSelector: { matchLabels: { app: "none" } } },
              ],
            },
          },
        },
      },
      `0/2 nodes are available: 2 node(s) didn't match pod affinity rules. ${noHelp(2)}`,
    ],
    [
      "a claim that does not exist",
      { spec: { volumes: [{ name: "data", persistentVolumeClaim: { claimName: "missing" } }] } },
      `0/2 nodes are available: persistentvolumeclaim "missing" not found. ${noHelp(2)}`,
    ],
    [
      "a port",
      {
        spec: { containers: [{ name: "web", image: "nginx", ports: [{ containerPort: 80, hostPort: 80 }] }] },
      },
      `0/2 nodes are available: 2 node(s) didn't have free ports for the requested pod ports. ${noVictims(2)}`,
    ],
  ])("%s", async (_title, options, message) => {
    await using cluster = await clusterWith({ name: "a" }, { name: "b" });
    const port = {
      containers: [
        {
          name: "web",
          image: "nginx",
          ports: [{ containerPort: 80, hostPort: 80 }],
          resources: { requests: { cpu: "1" } },
        },
      ],
    };
    const first = (name: string) => pod(name, { labels: { app: "first" }, spec: port });
    expect(new Set(await scheduled(cluster, first("x"), first("y")))).toEqual(new Set(["a", "b"]));
    expect(await scheduled(cluster, pod("web", options))).toEqual([undefined]);
    expect(await obstacle(cluster, "web")).toBe(message);
    expect(await events(cluster)).toContain(`web FailedScheduling: ${message}`);
  });

  test("no nodes at all", async () => {
    await using cluster = await clusterWith();
    await scheduled(cluster, pod("web"));
    expect(await obstacle(cluster, "web")).toBe("no nodes available to schedule pods");
  });

  test("taints and cordons, each node with its own reason", async () => {
    await using cluster = await clusterWith(
      { name: "a", taints: [{ key: "gpu", value: "yes", effect: "NoSchedule" }] },
      { name: "b" },
    );
    await cluster.patch("v1", "Node", "b", { spec: { unschedulable: true } });
    await scheduled(cluster, pod("web"));
    const reasons = "1 node(s) had untolerated taint {gpu: yes}, 1 node(s) were unschedulable";
    expect(await obstacle(cluster, "web")).toBe(`0/2 nodes are available: ${reasons}. ${noHelp(2)}`);
    const tolerations = [{ key: "gpu", operator: "Exists" }];
    expect(await scheduled(cluster, pod("tolerant", { spec: { tolerations } }))).toEqual(["a"]);
  });
});

/** Upstream: pkg/scheduler/framework/plugins of these releases. */
test.each([
  ["1.31", "untolerated taint {gpu: yes}", "1 Insufficient cpu"],
  [
    "1.33",
    "untolerated taint {gpu: yes}",
    "1 Insufficient cpu, 1 node(s) didn't satisfy plugin(s) [NodeAffinity]",
  ],
  ["1.34", "untolerated taint(s)", "1 Insufficient cpu, 1 node(s) didn't satisfy plugin(s) [NodeAffinity]"],
] as const)("the reasons of %s", async (release, taint, named) => {
  const gpu = { key: "gpu", value: "yes", effect: "NoSchedule" } as const;
  await using cluster = await clusterOf({ release }, { name: "a", taints: [gpu] }, { name: "b" });
  const terms = [{ matchFields: [{ key: "metadata.name", operator: "In", values: ["b"] }] }];
  const required = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } };
  const onB = pod("on-b", { cpu: "5", spec: { affinity: { nodeAffinity: required } } });
  await scheduled(cluster, pod("large", { cpu: "5" }), onB);
  // More than a node has cannot become free by preemption, which the scheduler knows since 1.34.
  const victims =
    "1 No preemption victims found for incoming pod, 1 Preemption is not helpful for scheduling.";
  const preemption = release === "1.34" ? noHelp(2) : `preemption: 0/2 nodes are available: ${victims}`;
  expect(await obstacle(cluster, "large")).toBe(
    `0/2 nodes are available: 1 Insufficient cpu, 1 node(s) had ${taint}. ${preemption}`,
  );
  expect(await obstacle(cluster, "on-b")).toBe(`0/2 nodes are available: ${named}. ${preemption}`);
});

describe("a pod is tried again", () => {
  test("when a node comes, or gets other labels", async () => {
    await using cluster = await clusterWith();
    await scheduled(cluster, pod("web"), pod("ssd", { spec: { nodeSelector: { disk: "ssd" } } }));
    await addNode(cluster, { name: "a" });
    await cluster.settle();
    expect([await nodeOf(cluster, "web"), await nodeOf(cluster, "ssd")]).toEqual(["a", undefined]);
    await cluster.patch("v1", "Node", "a", { metadata: { labels: { disk: "ssd" } } });
    await cluster.settle();
    expect(await nodeOf(cluster, "ssd")).toBe("a");
  });

  test("when another pod goes or finishes", async () => {
    await using cluster = await clusterWith({ name: "a" });
    expect(await scheduled(cluster, pod("x", { cpu: "4" }), pod("y", { cpu: "4" }))).toEqual([
      "a",
      undefined,
    ]);
    await cluster.patch("v1", "Pod", "x", { status: { phase: "Succeeded" } }, { subresource: "status" });
    await cluster.settle();
    expect(await nodeOf(cluster, "y")).toBe("a");
  });

  test("but not because of its own condition", async () => {
    await using cluster = await clusterWith({ name: "a" });
    await scheduled(cluster, pod("web", { cpu: "9" }));
    const { metadata } = await cluster.get("v1", "Pod", "web");
    await cluster.patch("v1", "Pod", "web", { metadata: { annotations: { a: "b" } } });
    await cluster.settle();
    const { items } = await cluster.list("v1", "Event", { namespace: "default" });
    expect(items).toHaveLength(1);
    expect(metadata?.resourceVersion).toBeDefined();
  });
});

test("pods of a controller spread over the nodes", async () => {
  await using cluster = await clusterWith({ name: "a" }, { name: "b" }, { name: "c" });
  const labels = { app: "web" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx" }] } };
  const { metadata } = await cluster.create({
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: { name: "web" },
    spec: { replicas: 0, selector: { matchLabels: labels }, template },
  });
  const uid = metadata?.uid ?? "";
  const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web", uid, controller: true };
  const replica = (name: string) => {
    const manifest = pod(name) as KubeObject;
    return { ...manifest, metadata: { ...manifest.metadata, ownerReferences: [owner] } };
  };
  const nodes = await scheduled(cluster, ...["1", "2", "3", "4", "5", "6"].map(replica));
  expect(nodes.toSorted()).toEqual(["a", "a", "b", "b", "c", "c"]);
});

test("topology spread constraints count pods by domain", async () => {
  await using cluster = await clusterWith(
    { name: "a", labels: { zone: "1" } },
    { name: "b", labels: { zone: "1" } },
    { name: "c", labels: { zone: "2" }, capacity: { pods: "1" } },
  );
  const labels = { app: "web" };
  const constraint = {
    maxSkew: 1,
    topologyKey: "zone",
    whenUnsatisfiable: "DoNotSchedule",
    labelSelector: { matchLabels: labels },
  };
  const one = (name: string) => pod(name, { labels, spec: { topologySpreadConstraints: [constraint] } });
  const nodes = await scheduled(cluster, one("1"), one("2"), one("3"), one("4"));
  const zones = nodes.map((node) => (node === "c" ? "2" : "1"));
  expect([zones.slice(0, 3).filter((zone) => zone === "2").length, nodes[3]]).toEqual([1, undefined]);
  expect(await obstacle(cluster, "4")).toMatch(
    /^0\/3 nodes are available: 1 Too many pods, 2 node\(s\) didn't match pod topology spread constraints\. preemption: /,
  );
});

test.each([
  ["topologySpreadConstraints", "didn't match pod topology spread constraints (missing required label)"],
  ["affinity", "didn't match pod affinity rules"],
])("no node has the label constructor by itself: %s", async (field, problem) => {
  await using cluster = await clusterWith({ name: "a" }, { name: "b" });
  const labels = { app: "web" };
  const term = { topologyKey: "constructor", labelSelector: { matchLabels: labels } };
  const spec = {
    topologySpreadConstraints: [{ ...term, maxSkew: 1, whenUnsatisfiable: "DoNotSchedule" }],
    affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } },
  };
  const chosen = Object.fromEntries(Object.entries(spec).filter(([name]) => name === field));
  await scheduled(cluster, pod("web", { labels, spec: chosen }));
  expect(await obstacle(cluster, "web")).toContain(`2 node(s) ${problem}`);
});

describe("pods of a higher priority", () => {
  async function priorities(cluster: Cluster): Promise<void> {
    for (const [name, value] of [
      ["low", 10],
      ["high", 1000],
    ] as const) {
      await cluster.create({
        apiVersion: "scheduling.k8s.io/v1",
        kind: "PriorityClass",
        metadata: { name },
        value,
      });
    }
  }

  test("come first", async () => {
    await using cluster = await clusterWith();
    await priorities(cluster);
    await scheduled(
      cluster,
      pod("small", { cpu: "3", spec: { priorityClassName: "low" } }),
      pod("great", { cpu: "3", spec: { priorityClassName: "high" } }),
    );
    await addNode(cluster, { name: "a" });
    await cluster.settle();
    expect([await nodeOf(cluster, "great"), await nodeOf(cluster, "small")]).toEqual(["a", undefined]);
  });

  test("make others leave, as few and as unimportant as possible", async () => {
    await using cluster = await clusterWith({ name: "a" }, { name: "b" });
    await priorities(cluster);
    const low = (name: string, cpu: string, node: string) =>
      pod(name, {
        cpu,
        spec: { priorityClassName: "low", nodeSelector: { "kubernetes.io/hostname": node } },
      });
    await scheduled(cluster, low("x", "2", "a"), low("y", "2", "a"), low("z", "4", "b"));
    await scheduled(cluster, pod("great", { cpu: "2", spec: { priorityClassName: "high" } }));
    const great = await cluster.get("v1", "Pod", "great");
    expect([great.spec?.nodeName, great.status?.nominatedNodeName]).toMatchObject([
      undefined,
      expect.stringMatching(/[ab]/),
    ]);
    const { items } = await cluster.list("v1", "Pod");
    const [victim, ...others] = items.filter(({ metadata }) => metadata?.deletionTimestamp);
    expect(others).toEqual([]);
    expect(victim?.status?.conditions?.find(({ type }) => type === "DisruptionTarget")).toMatchObject({
      status: "True",
      reason: "PreemptionByScheduler",
      message: "default-scheduler: preempting to accommodate a higher priority pod",
    });
    const { nominatedNodeName } = great.status ?? {};
    expect(await events(cluster)).toContain(
      `${victim?.metadata?.name} Preempted: Preempted by pod ${great.metadata?.uid} on node ${nominatedNodeName}`,
    );
    await cluster.delete("v1", "Pod", victim?.metadata?.name ?? "", { gracePeriodSeconds: 0 });
    await cluster.settle();
    expect(await nodeOf(cluster, "great")).toBe(nominatedNodeName);
  });

  test("but not if they may not preempt", async () => {
    await using cluster = await clusterWith({ name: "a" });
    await priorities(cluster);
    await scheduled(cluster, pod("x", { cpu: "4" }));
    const spec = { priorityClassName: "high", preemptionPolicy: "Never" };
    await cluster.create({
      apiVersion: "scheduling.k8s.io/v1",
      kind: "PriorityClass",
      metadata: { name: "polite" },
      value: 1000,
      preemptionPolicy: "Never",
    });
    await scheduled(cluster, pod("great", { cpu: "2", spec: { ...spec, priorityClassName: "polite" } }));
    expect(await obstacle(cluster, "great")).toBe(
      "0/1 nodes are available: 1 Insufficient cpu. preemption: not eligible due to preemptionPolicy=Never.",
    );
  });
});

test("a fork goes on with the same queue and the same nodes", async () => {
  await using cluster = await clusterWith({ name: "a" });
  await scheduled(cluster, pod("x", { cpu: "4" }), pod("y", { cpu: "4" }));
  await using fork = cluster.fork();
  await fork.delete("v1", "Pod", "x", { gracePeriodSeconds: 0 });
  await fork.settle();
  expect([await nodeOf(fork, "y"), await nodeOf(cluster, "y")]).toEqual(["a", undefined]);
});

test("a fork that is made while a pod is bound binds it, too", async () => {
  await using cluster = await clusterWith({ name: "a" });
  await cluster.create({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "bindings" },
    webhooks: [
      {
        name: "bindings.example.com",
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        clientConfig: { service: { namespace: "default", name: "bindings" } },
        rules: [
          { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods/binding"] },
        ],
      },
    ],
  });
  const forks: Cluster[] = [];
  const handle = cluster.webhook("bindings.example.com", () => {
    if (forks.length === 0) forks.push(cluster.fork());
    return { allowed: true };
  });
  expect(await scheduled(cluster, pod("x"))).toEqual(["a"]);
  handle.remove();
  const [fork] = forks;
  if (fork === undefined) throw new Error("no fork");
  await fork.delete("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "bindings");
  await fork.settle();
  expect(await nodeOf(fork, "x")).toBe("a");
  await fork.close();
});
