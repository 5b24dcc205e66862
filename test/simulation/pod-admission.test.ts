import { describe, expect, test } from "vitest";
import { type Cluster, type ClusterOptions, createCluster } from "../../src/index.ts";

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

async function create(cluster: Cluster, name: string, spec: object): Promise<void> {
  const metadata = { name, namespace: "default" };
  const defaults = { nodeName: "small", containers: [container()] };
  await cluster.create({ apiVersion: "v1", kind: "Pod", metadata, spec: { ...defaults, ...spec } });
  await cluster.settle();
}

async function statusOf(cluster: Cluster, name: string) {
  return (await cluster.get("v1", "Pod", name)).status;
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
    const { items } = await cluster.list("v1", "Event", { namespace: "default" });
    const said = items.filter(({ involvedObject }) => involvedObject.name === "web");
    expect(said.map((event) => [event.type, event.reason, event.message])).toEqual([
      ["Warning", reason, message],
    ]);
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

test("a pod may request resources that its node does not know", async () => {
  await using cluster = await clusterOf();
  const amounts = { "example.com/license": "1" };
  await create(cluster, "web", {
    containers: [{ ...container(amounts), resources: { requests: amounts, limits: amounts } }],
  });
  expect((await statusOf(cluster, "web"))?.phase).toBe("Running");
});
