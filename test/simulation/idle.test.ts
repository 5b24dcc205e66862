import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Cluster, createCluster, type JsonObject } from "../../src/index.ts";

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date", "performance"],
  });
});
afterEach(() => {
  vi.useRealTimers();
});

const template = (restartPolicy: string): JsonObject => ({
  metadata: { labels: { app: "web" } },
  spec: { restartPolicy, containers: [{ name: "web", image: "nginx" }] },
});
const selector = { matchLabels: { app: "web" } };

/** A workload of each kind that comes to rest, with a Service and a budget. */
const workloads: readonly (readonly [apiVersion: string, kind: string, spec: JsonObject])[] = [
  ["apps/v1", "Deployment", { replicas: 3, selector, template: template("Always") }],
  ["apps/v1", "DaemonSet", { selector, template: template("Always") }],
  ["apps/v1", "StatefulSet", { replicas: 2, serviceName: "web", selector, template: template("Always") }],
  ["v1", "Service", { selector: { app: "web" }, ports: [{ port: 80 }] }],
  ["policy/v1", "PodDisruptionBudget", { minAvailable: 1, selector }],
];

async function settledCluster(): Promise<Cluster> {
  const cluster = createCluster({ simulate: true });
  for (const [apiVersion, kind, spec] of workloads) {
    const metadata = { name: kind.toLowerCase(), namespace: "default" };
    await cluster.create({ apiVersion, kind, metadata, spec });
  }
  await cluster.settle();
  return cluster;
}

test("an idle simulated cluster sets no timer and writes nothing for a week", async () => {
  const cluster = await settledCluster();
  const deployment = await cluster.get("apps/v1", "Deployment", "deployment");
  expect(deployment.status?.readyReplicas).toBe(3);
  // What is due within minutes of a rollout, such as a progress deadline, comes to rest first. On a busy machine, what it leads to
  // may begin after its hour.
  for (let hours = 0; hours === 0 || (hours < 5 && vi.getTimerCount() > 0); hours += 1) {
    await vi.advanceTimersByTimeAsync(3_600_000);
    await cluster.settle();
  }
  const before = await cluster.list("v1", "Node");
  expect(vi.getTimerCount()).toBe(0);
  await vi.advanceTimersByTimeAsync(7 * 24 * 3_600_000);
  await cluster.settle();
  expect(vi.getTimerCount()).toBe(0);
  const later = await cluster.list("v1", "Node");
  expect(later.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
  // What has to be done later sets one.
  const jobTemplate = { spec: { template: template("Never") } };
  const metadata = { name: "nightly", namespace: "default" };
  const spec = { schedule: "@daily", jobTemplate };
  await cluster.create({ apiVersion: "batch/v1", kind: "CronJob", metadata, spec });
  await cluster.settle();
  expect(vi.getTimerCount()).toBe(1);
  await cluster.close();
});

test("a Deployment that lost a pod after its rollout sets no timer", async () => {
  const cluster = createCluster({ simulate: ["workloads"] });
  const metadata = { name: "web", namespace: "default" };
  const spec = { replicas: 1, selector, template: template("Always") };
  await cluster.create({ apiVersion: "apps/v1", kind: "Deployment", metadata, spec });
  await cluster.settle();
  const [pod] = (await cluster.list("v1", "Pod")).items;
  const report = (phase: string, status: string) => {
    const lastTransitionTime = new Date(cluster.clock.now()).toISOString().replace(/\.\d+/, "");
    const conditions = [{ type: "Ready", status, lastTransitionTime }];
    const target = { namespace: "default", subresource: "status" };
    return cluster.patch("v1", "Pod", pod?.metadata.name ?? "", { status: { phase, conditions } }, target);
  };
  await report("Running", "True");
  await cluster.settle();
  await report("Running", "False");
  await cluster.settle();
  // The progress deadline is over, and so is the time of the Events.
  await vi.advanceTimersByTimeAsync(2 * 3_600_000);
  await cluster.settle();
  expect(vi.getTimerCount()).toBe(0);
  await cluster.close();
});
