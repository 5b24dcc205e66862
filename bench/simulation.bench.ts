import { type Cluster, createCluster, type JsonObject } from "../src/index.ts";
import { type Benchmark, cpuRatio } from "./benchmark.ts";

const pods = 100;
const nodes = 100;
const namespace = "default";
const containers = [{ name: "web", image: "nginx" }];
const reasons = ["Scheduled", "Pulling", "Pulled", "Created", "Started"];
const time = "2026-01-01T00:00:00Z";

/** What controllers, the scheduler and kubelets cost beyond the writes that they make. */
export const benchmarks: readonly Benchmark[] = [
  {
    what: "rollout of 100 pods over 100 nodes",
    reference: "the nine writes of each pod by a client",
    atMost: 1.3,
    unit: "x",
    measure: async () => {
      const written = createCluster({ seed: 1 });
      const simulated = await withNodes();
      const ratio = await cpuRatio(writing(written), rollingOut(simulated, pods), 5);
      for (const cluster of [written, simulated]) await cluster.close();
      return ratio;
    },
  },
  ...[1000, 4000].map(
    (size): Benchmark => ({
      what: `each pod of a rollout of ${size.toLocaleString("en")} pods over 100 nodes`,
      reference: "each pod of a rollout of 250 pods",
      atMost: 1.5,
      unit: "x",
      measure: async () => {
        const cluster = await withNodes();
        await microseconds(rollingOut(cluster, 1000));
        const few = (await microseconds(rollingOut(cluster, 250))) / 250;
        const many = (await microseconds(rollingOut(cluster, size))) / size;
        await cluster.close();
        return many / few;
      },
    }),
  ),
];

async function withNodes(): Promise<Cluster> {
  const cluster = createCluster({ simulate: true, seed: 1 });
  for (let index = 3; index < nodes; index++) await cluster.addNode({ name: `n-${index}` });
  await cluster.settle();
  return cluster;
}

/** The microseconds of CPU that work takes. */
async function microseconds(work: () => Promise<void>): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

/** Deployments get names of their own, as several rollouts of a benchmark share one cluster. */
let deployments = 0;

function rollingOut(cluster: Cluster, replicas: number): () => Promise<void> {
  return async () => {
    const name = `web-${deployments++}`;
    const template = { metadata: { labels: { app: name } }, spec: { containers } };
    const spec = { replicas, selector: { matchLabels: { app: name } }, template };
    await cluster.create({ apiVersion: "apps/v1", kind: "Deployment", metadata: { name }, spec });
    await cluster.settle();
    const { status } = await cluster.get<JsonObject & { status: { readyReplicas?: number } }>(
      "apps/v1",
      "Deployment",
      name,
    );
    if (status.readyReplicas !== replicas) {
      throw new Error(`${status.readyReplicas} of ${replicas} pods are ready`);
    }
  };
}

/** The writes of a Deployment's pods: their creation, binding, two statuses and five Events. */
function writing(cluster: Cluster): () => Promise<void> {
  let count = 0;
  return async () => {
    for (let index = 0; index < pods; index++) {
      const name = `web-${count++}`;
      const metadata = { name, namespace };
      await cluster.create({
        apiVersion: "v1",
        kind: "Pod",
        metadata: { ...metadata, labels: { app: "web" } },
        spec: { containers },
      });
      const target = { kind: "Node", name: `n-${count % nodes}` };
      await cluster.create(
        { apiVersion: "v1", kind: "Binding", metadata, target },
        { subresource: "binding" },
      );
      for (const isReady of [false, true]) await reportStatus(cluster, name, isReady ? "True" : "False");
      for (const reason of reasons) await cluster.create(event(name, reason));
    }
  };
}

async function reportStatus(cluster: Cluster, name: string, status: "True" | "False"): Promise<void> {
  const types = ["PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"];
  const conditions = types.map((type) => ({ type, status, lastProbeTime: null, lastTransitionTime: time }));
  const isReady = status === "True";
  const state = isReady ? { running: { startedAt: time } } : { waiting: { reason: "ContainerCreating" } };
  const container = { state, lastState: {}, ready: isReady, restartCount: 0, started: isReady };
  const containerStatuses = [
    { name: "web", image: "docker.io/library/nginx:latest", imageID: "", ...container },
  ];
  const phase = isReady ? "Running" : "Pending";
  const patch = { status: { phase, conditions, hostIP: "10.0.0.1", startTime: time, containerStatuses } };
  await cluster.patch("v1", "Pod", name, patch, { subresource: "status" });
}

function event(pod: string, reason: string): JsonObject {
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: `${pod}.${reason.toLowerCase()}`, namespace },
    involvedObject: { apiVersion: "v1", kind: "Pod", namespace, name: pod },
    reason,
    message: `${reason} a container`,
    source: { component: "kubelet", host: "n-1" },
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
    type: "Normal",
  };
}
