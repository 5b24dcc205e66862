import { afterEach, beforeEach, expect, test } from "vitest";
import type { JsonObject } from "../../src/index.ts";
import { template, Workloads } from "./workloads.ts";

let w: Workloads;
beforeEach(async () => {
  w = new Workloads();
  await w.cluster.create({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web" },
    spec: { replicas: 4, selector: { matchLabels: { app: "web" } }, template: template("web") },
  });
});
afterEach(() => w.cluster.close());

const budget = (spec: JsonObject): JsonObject => ({
  apiVersion: "policy/v1",
  kind: "PodDisruptionBudget",
  metadata: { name: "web" },
  spec: { selector: { matchLabels: { app: "web" } }, ...spec },
});
const status = () => w.status("policy/v1", "PodDisruptionBudget", "web");

test.each([
  ["minAvailable", 3, 3, 1],
  ["minAvailable", "50%", 2, 2],
  ["maxUnavailable", 1, 3, 1],
  ["maxUnavailable", "30%", 2, 2],
])("%s of %s", async (field, value, desiredHealthy, disruptionsAllowed) => {
  await w.cluster.create(budget({ [field]: value }));
  const condition = { type: "DisruptionAllowed", observedGeneration: 1 };
  expect(await status()).toMatchObject({
    disruptionsAllowed: 0,
    conditions: [{ ...condition, status: "False", reason: "InsufficientPods" }],
  });
  await w.runAll();
  expect(await status()).toMatchObject({
    observedGeneration: 1,
    currentHealthy: 4,
    desiredHealthy,
    disruptionsAllowed,
    expectedPods: 4,
    conditions: [{ ...condition, status: "True", reason: "SufficientPods" }],
  });
});

test("evictions stop at the budget until a pod is ready again", async () => {
  await w.cluster.create(budget({ maxUnavailable: 1 }));
  await w.runAll();
  const [first, second] = await w.pods();
  const evict = (name = "") =>
    w.cluster.create(
      { apiVersion: "policy/v1", kind: "Eviction", metadata: { name } },
      { subresource: "eviction" },
    );
  await evict(first?.metadata.name);
  await w.cluster.settle();
  await expect(evict(second?.metadata.name)).rejects.toMatchObject({ code: 429 });
  await w.removeTerminating();
  await w.runAll();
  await evict(second?.metadata.name);
});

test("pods whose controller cannot be counted allow no eviction", async () => {
  const job = {
    template: {
      metadata: { labels: { app: "web" } },
      spec: { restartPolicy: "Never", containers: [{ name: "main", image: "i" }] },
    },
  };
  await w.cluster.create({ apiVersion: "batch/v1", kind: "Job", metadata: { name: "j" }, spec: job });
  await w.cluster.create(budget({ maxUnavailable: 1 }));
  await w.runAll();
  expect(await status()).toMatchObject({ disruptionsAllowed: 0, conditions: [{ reason: "SyncFailed" }] });
});
