import { afterEach, beforeEach, expect, test } from "vitest";
import type { JsonObject, KubeObject } from "../../src/index.ts";
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

test("a pod that several budgets select says so", async () => {
  await w.cluster.create(budget({ maxUnavailable: 1 }));
  await w.cluster.create({ ...budget({ maxUnavailable: 2 }), metadata: { name: "again" } });
  const [pod] = await w.pods();
  if (pod !== undefined) await w.run(pod);
  expect((await w.events("Pod")).at(-1)).toBe(
    `MultiplePodDisruptionBudgets: Pod "default"/"${pod?.metadata.name}" matches multiple PodDisruptionBudgets.  Chose "again" arbitrarily.`,
  );
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
  const problem = "jobs.batch does not implement the scale subresource";
  const condition = { type: "DisruptionAllowed", status: "False", reason: "SyncFailed", message: problem };
  const { disruptionsAllowed, conditions } = await status();
  expect({ disruptionsAllowed, conditions }).toEqual({
    disruptionsAllowed: 0,
    conditions: [{ ...condition, lastTransitionTime: w.now() }],
  });
  expect(await w.events("PodDisruptionBudget")).toEqual([
    `CalculateExpectedPodCountFailed: Failed to calculate the number of expected pods: ${problem}`,
  ]);
});

const shops = (subresources: JsonObject): JsonObject => {
  const open = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const schema = { openAPIV3Schema: { type: "object", properties: { spec: open, status: open } } };
  const version = { name: "v1", served: true, storage: true, schema, subresources };
  const names = { plural: "shops", kind: "Shop", singular: "shop", listKind: "ShopList" };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "shops.example.com" },
    spec: { group: "example.com", scope: "Namespaced", names, versions: [version] },
  };
};

const scale = { specReplicasPath: ".spec.size", statusReplicasPath: ".status.size" };

test.each<readonly [string, JsonObject, JsonObject]>([
  [
    "with a scale count as many as it says",
    { scale },
    {
      expectedPods: 3,
      desiredHealthy: 2,
      disruptionsAllowed: 0,
      conditions: [{ reason: "InsufficientPods" }],
    },
  ],
  [
    "without one allow no eviction",
    {},
    { conditions: [{ message: "shops.example.com does not implement the scale subresource" }] },
  ],
])("pods of a custom resource %s", async (_title, subresources, expected) => {
  await w.cluster.create(shops(subresources));
  await w.cluster.settle();
  const { metadata } = await w.cluster.create<KubeObject>({
    apiVersion: "example.com/v1",
    kind: "Shop",
    metadata: { name: "corner" },
    spec: { size: 3 },
  });
  const owner = { apiVersion: "example.com/v1", kind: "Shop", name: "corner", uid: metadata.uid };
  await w.cluster.create({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "till", labels: { app: "shop" }, ownerReferences: [{ ...owner, controller: true }] },
    spec: { containers: [{ name: "main", image: "i" }] },
  } as JsonObject);
  await w.cluster.create(budget({ maxUnavailable: 1, selector: { matchLabels: { app: "shop" } } }));
  expect(await status()).toMatchObject(expected);
});

test("a disrupted pod that is not deleted in two minutes is no longer disrupted", async () => {
  await w.runAll();
  const [pod] = await w.pods();
  const { name = "" } = pod?.metadata ?? {};
  const disrupted = { ...w.condition("DisruptionTarget", "True"), reason: "Test", message: "soon" };
  const conditionNow = async () => {
    await w.cluster.settle();
    const { conditions } = await w.status("v1", "Pod", name);
    return (conditions as readonly JsonObject[]).find(({ type }) => type === "DisruptionTarget");
  };
  await w.cluster.patch(
    "v1",
    "Pod",
    name,
    { status: { conditions: [disrupted] } },
    { subresource: "status", type: "strategic" },
  );
  await w.cluster.clock.advance("119s");
  expect(await conditionNow()).toMatchObject({ status: "True" });
  await w.cluster.clock.advance("1s");
  expect(await conditionNow()).toEqual({ ...w.condition("DisruptionTarget", "False"), lastProbeTime: null });
});
