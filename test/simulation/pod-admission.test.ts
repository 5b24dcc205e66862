import { describe, expect, test } from "vitest";
import { type Cluster, type ClusterOptions, createCluster } from "../../src/index.ts";
import { running, slowTermination } from "../../src/scenario/presets.ts";

/** A cluster with a small node. Its clock stands. */
async function clusterOf(options: ClusterOptions = {}): Promise<Cluster> {
  const cluster = createCluster({ seed: 1, simulate: ["scheduler", "kubelets"], ...options });
  const capacity = { cpu: "2", memory: "1Gi", pods: "2" };
  await cluster.addNode({ name: "small", capacity, labels: { disk: "ssd" } });
  await cluster.settle();
  return cluster;
}

const container = (requests: object = {}, more: object = {}) => ({
  name: "web",
  image: "nginx:1",
  resources: { requests },
  ...more,
});

async function create(cluster: Cluster, name: string, spec: object, labels: object = {}): Promise<void> {
  const metadata = { name, namespace: "default", labels };
  const defaults = { nodeName: "small", containers: [container()] };
  await cluster.create({ apiVersion: "v1", kind: "Pod", metadata, spec: { ...defaults, ...spec } });
  await cluster.settle();
}

async function statusOf(cluster: Cluster, name: string) {
  return (await cluster.get("v1", "Pod", name)).status;
}

/** The Events about a pod, in their order. */
async function saidAbout(cluster: Cluster, name: string): Promise<readonly string[]> {
  const { items } = await cluster.list("v1", "Event", { namespace: "default" });
  return items
    .filter(({ involvedObject }) => involvedObject.name === name)
    .map(({ type, reason, message }) => `${type} ${reason}: ${message}`);
}

const port = { containers: [container({}, { ports: [{ containerPort: 80, hostPort: 80 }] })] };

/** Upstream: the cases of `TestGeneralPredicates` in pkg/kubelet/lifecycle/predicate_test.go. */
describe("a pod that names a node is rejected", () => {
  test.each([
    [
      "without enough cores",
      { containers: [container({ cpu: "1500m" })] },
      "OutOfcpu",
      "Node didn't have enough resource: cpu, requested: 1500, used: 1000, capacity: 2000",
    ],
    [
      "without enough memory",
      { containers: [container({ memory: "2Gi" })] },
      "OutOfmemory",
      "Node didn't have enough resource: memory, requested: 2147483648, used: 0, capacity: 1073741824",
    ],
    [
      "with other labels",
      { nodeSelector: { disk: "hdd" } },
      "NodeAffinity",
      "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector",
    ],
    [
      "with a used port",
      port,
      "NodePorts",
      "Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports",
    ],
    [
      "with a sysctl that is not safe",
      { securityContext: { sysctls: [{ name: "net.core.somaxconn", value: "1024" }] } },
      "SysctlForbidden",
      'forbidden sysctl: "net.core.somaxconn" not allowlisted',
    ],
    [
      "with another operating system",
      { os: { name: "windows" } },
      "PodOSNotSupported",
      "Failed to admit pod as the OS field doesn't match node OS",
    ],
  ] as const)("%s", async (_title, spec, reason, message) => {
    await using cluster = await clusterOf();
    await create(cluster, "first", {
      containers: [
        { ...port.containers[0], ...container({ cpu: "1" }), ports: [{ containerPort: 80, hostPort: 80 }] },
      ],
    });
    await create(cluster, "web", spec);
    expect((await statusOf(cluster, "first"))?.phase).toBe("Running");
    const status = await statusOf(cluster, "web");
    expect(status).toMatchObject({
      phase: "Failed",
      reason,
      message: `Pod was rejected: ${message}`,
      startTime: "2026-01-01T00:00:00Z",
    });
    expect(status).not.toHaveProperty("containerStatuses");
    expect(status).not.toHaveProperty("conditions");
    expect(await saidAbout(cluster, "web")).toEqual([`Warning ${reason}: ${message}`]);
  });

  test("with too many pods, of which those that have ended do not count", async () => {
    await using cluster = await clusterOf({ release: "1.27" });
    await create(cluster, "ended", { restartPolicy: "Never" });
    for (const name of ["first", "second", "third"]) await create(cluster, name, {});
    const phases = await Promise.all(["ended", "first", "second"].map((name) => statusOf(cluster, name)));
    expect(phases.map((status) => status?.phase)).toEqual(["Succeeded", "Running", "Running"]);
    const message = "Pod Node didn't have enough resource: pods, requested: 1, used: 2, capacity: 2";
    expect(await statusOf(cluster, "third")).toMatchObject({ phase: "Failed", reason: "OutOfpods", message });
  });

  test("with a taint of the effect NoExecute, but not with one of NoSchedule", async () => {
    await using cluster = await clusterOf();
    const taint = async (effect: "NoExecute" | "NoSchedule") => {
      await cluster.patch("v1", "Node", "small", { spec: { taints: [{ key: "gpu", effect }] } });
    };
    await taint("NoSchedule");
    await create(cluster, "first", {});
    await taint("NoExecute");
    await create(cluster, "second", {});
    await create(cluster, "third", { tolerations: [{ key: "gpu", operator: "Exists" }] });
    expect([await statusOf(cluster, "first"), await statusOf(cluster, "third")]).toMatchObject([
      { phase: "Running" },
      { phase: "Running" },
    ]);
    expect(await statusOf(cluster, "second")).toMatchObject({
      reason: "TaintToleration",
      message:
        "Pod was rejected: Predicate TaintToleration failed: node(s) had taints that the pod didn't tolerate",
    });
  });
});

test("a pod for Windows by its labels is rejected since 1.23", async () => {
  const labels = { "kubernetes.io/os": "windows" };
  const seen: unknown[] = [];
  for (const release of ["1.22", "1.23"] as const) {
    await using cluster = await clusterOf({ release });
    await create(cluster, "web", {}, labels);
    const { phase, reason, message } = (await statusOf(cluster, "web")) ?? {};
    seen.push([phase, reason, message]);
  }
  expect(seen).toEqual([
    ["Running", undefined, undefined],
    [
      "Failed",
      "PodOSSelectorNodeLabelDoesNotMatch",
      "Pod Failed to admit pod as the `kubernetes.io/os` label doesn't match node label",
    ],
  ]);
});

test.each([
  [true, "Running", undefined, undefined],
  [
    false,
    "Failed",
    "SupplementalGroupsPolicyNotSupported",
    "Pod was rejected: SupplementalGroupsPolicy=Strict is not supported in this node",
  ],
] as const)(
  "a node whose runtime knows no strict groups rejects a pod that asks for them",
  async (supplementalGroupsPolicy, ...expected) => {
    await using cluster = await clusterOf({ release: "1.33" });
    const status = { features: { supplementalGroupsPolicy } };
    await cluster.patch("v1", "Node", "small", { status }, { subresource: "status" });
    await create(cluster, "web", { securityContext: { supplementalGroupsPolicy: "Strict" } });
    const { phase, reason, message } = (await statusOf(cluster, "web")) ?? {};
    expect([phase, reason, message]).toEqual(expected);
  },
);

/** Upstream: `HandleAdmissionFailure` in pkg/kubelet/preemption/preemption.go. */
describe("on a full node, a critical pod", () => {
  const critical = { priorityClassName: "system-node-critical" };

  test("takes the place of another one", async () => {
    await using cluster = await clusterOf();
    await create(cluster, "small", { containers: [container({ cpu: "500m" })] });
    await create(cluster, "big", { containers: [container({ cpu: "1500m" })] });
    await create(cluster, "web", { ...critical, containers: [container({ cpu: "1" })] });
    expect((await statusOf(cluster, "web"))?.phase).toBe("Running");
    expect((await statusOf(cluster, "small"))?.phase).toBe("Running");
    const status = await statusOf(cluster, "big");
    expect(status).toMatchObject({
      phase: "Failed",
      reason: "Preempting",
      message: "Preempted in order to admit critical pod",
    });
    expect(status?.conditions?.find(({ type }) => type === "DisruptionTarget")).toMatchObject({
      status: "True",
      reason: "TerminationByKubelet",
      message: "Pod was preempted by Kubelet to accommodate a critical pod.",
    });
    expect((await saidAbout(cluster, "big")).slice(-2)).toEqual([
      "Warning Preempting: Preempted in order to admit critical pod",
      "Normal Killing: Stopping container web",
    ]);
    expect(await saidAbout(cluster, "web")).not.toContainEqual(expect.stringContaining("Warning"));
  });

  test("disrupts others without a condition before 1.26", async () => {
    await using cluster = await clusterOf({ release: "1.25" });
    for (const name of ["first", "second"]) await create(cluster, name, {});
    await create(cluster, "web", critical);
    const [first, second] = [await statusOf(cluster, "first"), await statusOf(cluster, "second")];
    const web = await statusOf(cluster, "web");
    expect([first?.phase, second?.reason, web?.phase]).toEqual(["Running", "Preempting", "Running"]);
    expect(second?.conditions?.map(({ type }) => type)).not.toContain("DisruptionTarget");
  });

  test("waits until the others have left one by one, and new pods wait for it", async () => {
    await using cluster = await clusterOf();
    cluster.pods.script({ name: /first|second/ }, slowTermination({ takes: "10s" }));
    for (const name of ["first", "second"])
      await create(cluster, name, { containers: [container({ cpu: "1" })] });
    await create(cluster, "web", { ...critical, containers: [container({ cpu: "1500m" })] });
    await create(cluster, "late", { containers: [container({ cpu: "500m" })] });
    const seen: string[] = [];
    for (const step of ["0s", "10s", "9s", "1s"]) {
      await cluster.clock.advance(step);
      await cluster.settle();
      const names = ["first", "second", "web", "late"];
      const phases = await Promise.all(names.map(async (name) => (await statusOf(cluster, name))?.phase));
      seen.push(phases.join(" "));
    }
    expect(seen).toEqual([
      "Running Running Pending Pending",
      "Running Failed Pending Pending",
      "Running Failed Pending Pending",
      "Failed Failed Running Running",
    ]);
  });

  test("is rejected if others do not make enough room, or for another reason", async () => {
    await using cluster = await clusterOf();
    await create(cluster, "first", { containers: [container({ cpu: "1" })] });
    await create(cluster, "web", { ...critical, containers: [container({ cpu: "3" })] });
    await create(cluster, "other", {
      ...critical,
      nodeSelector: { disk: "hdd" },
      containers: [container({ cpu: "2" })],
    });
    const problem =
      "preemption: error finding a set of pods to preempt: no set of running pods found to reclaim resources: [(res: cpu, q: 1000), ]";
    expect(await statusOf(cluster, "web")).toMatchObject({
      reason: "UnexpectedAdmissionError",
      message: `Pod was rejected: Unexpected error while attempting to recover from admission failure: ${problem}`,
    });
    expect((await statusOf(cluster, "other"))?.reason).toBe("NodeAffinity");
    expect((await statusOf(cluster, "first"))?.phase).toBe("Running");
  });

  test("that is deleted while it waits does not run, and a fork goes on with it", async () => {
    await using cluster = await clusterOf();
    cluster.pods.script({ name: "first" }, slowTermination({ takes: "10s" }));
    cluster.pods.script({ name: "web" }, running());
    await create(cluster, "first", { containers: [container({ cpu: "2" })] });
    await create(cluster, "web", { ...critical, containers: [container({ cpu: "1" })] });
    await using fork = await cluster.fork();
    await cluster.delete("v1", "Pod", "web");
    await cluster.settle();
    await expect(cluster.get("v1", "Pod", "web")).rejects.toThrow("not found");
    await create(cluster, "late", { containers: [container({ cpu: "2" })] });
    expect((await statusOf(cluster, "late"))?.reason).toBe("OutOfcpu");
    for (const one of [cluster, fork]) {
      await one.clock.advance("10s");
      await one.settle();
    }
    expect((await statusOf(cluster, "first"))?.reason).toBe("Preempting");
    expect((await statusOf(fork, "web"))?.phase).toBe("Running");
  });
});

/** Upstream: the status manager drops the kubelet's own conditions, of which a rejected pod has none (pkg/kubelet/status/status_manager.go). */
test("a pod that is rejected after its scheduling has no conditions", async () => {
  await using cluster = await clusterOf();
  await cluster.create({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "web" },
    spec: {
      containers: [container()],
      securityContext: { sysctls: [{ name: "kernel.msgmax", value: "1" }] },
    },
  });
  await cluster.settle();
  const status = await statusOf(cluster, "web");
  expect([status?.reason, status?.conditions]).toEqual(["SysctlForbidden", undefined]);
});

test("a pod may request resources that its node does not know", async () => {
  await using cluster = await clusterOf();
  const amounts = { "example.com/license": "1" };
  await create(cluster, "web", {
    containers: [{ ...container(amounts), resources: { requests: amounts, limits: amounts } }],
  });
  expect((await statusOf(cluster, "web"))?.phase).toBe("Running");
});
