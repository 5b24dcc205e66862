import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { JsonObject, KubeObject } from "../../src/index.ts";
import { template, Workloads } from "./workloads.ts";

let w: Workloads;
beforeEach(() => {
  w = new Workloads();
});
afterEach(() => w.cluster.close());

const replicaSet = (replicas: number, spec: JsonObject = {}): JsonObject => ({
  apiVersion: "apps/v1",
  kind: "ReplicaSet",
  metadata: { name: "web" },
  spec: { replicas, selector: { matchLabels: { app: "web" } }, template: template("web"), ...spec },
});
const scale = (replicas: number) => w.cluster.patch("apps/v1", "ReplicaSet", "web", { spec: { replicas } });
const status = () => w.status("apps/v1", "ReplicaSet", "web");
const names = async () => (await w.pods()).map(({ metadata }) => metadata.name);
const lone = (labels: JsonObject): JsonObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "lone", labels },
  spec: { containers: [{ name: "main", image: "i" }] },
});

test("a ReplicaSet creates its pods and reports them", async () => {
  const { metadata: owner } = await w.cluster.create(replicaSet(3));
  const pods = await w.pods();
  expect(pods).toHaveLength(3);
  for (const { metadata } of pods) {
    expect(metadata.name).toMatch(/^web-[a-z0-9]{5}$/);
    expect(metadata).toMatchObject({ generateName: "web-", labels: { app: "web" } });
    const { uid } = owner as KubeObject["metadata"];
    expect(metadata.ownerReferences).toEqual([
      {
        apiVersion: "apps/v1",
        kind: "ReplicaSet",
        name: "web",
        uid,
        controller: true,
        blockOwnerDeletion: true,
      },
    ]);
  }
  expect(await status()).toEqual({ replicas: 3, fullyLabeledReplicas: 3, observedGeneration: 1 });
  expect(await w.events("ReplicaSet")).toEqual(
    pods
      .toSorted((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion))
      .map(({ metadata }) => `SuccessfulCreate: Created pod: ${metadata.name}`),
  );
});

test("ready pods count at once, and as available after minReadySeconds", async () => {
  await w.cluster.create(replicaSet(2, { minReadySeconds: 10 }));
  await w.runAll();
  expect(await status()).toMatchObject({ replicas: 2, readyReplicas: 2 });
  expect(await status()).not.toHaveProperty("availableReplicas");
  await w.cluster.clock.advance("9s");
  expect(await status()).not.toHaveProperty("availableReplicas");
  await w.cluster.clock.advance("1s");
  expect(await status()).toMatchObject({ availableReplicas: 2 });
});

test("a deleted, failed or succeeded pod is replaced", async () => {
  await w.cluster.create(replicaSet(3));
  await w.runAll();
  const [first, second, third] = await w.pods();
  if (first === undefined || second === undefined || third === undefined) throw new Error("three pods");
  await w.remove(first);
  await w.finish(second, "Failed");
  await w.finish(third, "Succeeded");
  await w.runAll();
  const live = (await w.pods()).filter((pod) => (pod["status"] as JsonObject)["phase"] === "Running");
  expect(live).toHaveLength(3);
  expect(await status()).toMatchObject({ replicas: 3, readyReplicas: 3 });
});

test("pods that are not ready are deleted first", async () => {
  await w.cluster.create(replicaSet(3));
  const [first, second, third] = await w.pods();
  if (first === undefined || second === undefined || third === undefined) throw new Error("three pods");
  await w.run(first);
  await w.run(second, { isReady: false });
  await w.run(third);
  await scale(2);
  await w.removeTerminating();
  expect(await names()).toEqual([first, third].map(({ metadata }) => metadata.name).sort());
  expect(await w.events("ReplicaSet")).toContain(`SuccessfulDelete: Deleted pod: ${second.metadata.name}`);
});

/** Upstream: `getReplicaSetsWithSameController` (pkg/controller/replicaset/replica_set.go). */
test.each([
  ["Deployment", "node-1"],
  ["ReplicaSet", "node-2"],
])("only the ReplicaSets of a Deployment spare nodes with few pods: %s", async (kind, node) => {
  await w.cluster.create({ ...replicaSet(3), kind });
  const [first, second, third] = await w.pods();
  if (first === undefined || second === undefined || third === undefined) throw new Error("three pods");
  await w.run(first);
  await w.run(second);
  await w.cluster.clock.advance("1h");
  await w.run(third, { node: "node-2" });
  await w.cluster.patch("apps/v1", kind, "web", { spec: { replicas: 2 } });
  const going = (await w.pods()).filter(({ metadata }) => metadata.deletionTimestamp);
  expect(going).toMatchObject([{ spec: { nodeName: node } }]);
});

describe("an orphan", () => {
  test("that matches is adopted", async () => {
    await w.cluster.create(lone({ app: "web" }));
    await w.cluster.create(replicaSet(2));
    expect(await names()).toHaveLength(2);
    const pod = await w.cluster.get<KubeObject>("v1", "Pod", "lone");
    expect(pod.metadata.ownerReferences).toMatchObject([
      { kind: "ReplicaSet", name: "web", controller: true },
    ]);
  });

  test("is adopted when its labels begin to match, and the surplus pod is deleted", async () => {
    await w.cluster.create(lone({ app: "other" }));
    await w.cluster.create(replicaSet(1));
    await w.runAll();
    expect(await names()).toHaveLength(2);
    await w.cluster.patch("v1", "Pod", "lone", { metadata: { labels: { app: "web" } } });
    await w.removeTerminating();
    expect(await names()).toHaveLength(1);
  });
});

test("a pod whose labels no longer match is released and replaced", async () => {
  await w.cluster.create(replicaSet(1));
  const [pod] = await w.pods();
  const { name = "" } = pod?.metadata ?? {};
  await w.cluster.patch("v1", "Pod", name, { metadata: { labels: { app: "debug" } } });
  expect(await names()).toHaveLength(2);
  expect((await w.cluster.get<KubeObject>("v1", "Pod", name)).metadata.ownerReferences).toBeUndefined();
});

test("refused pods are reported, and created when the quota allows them", async () => {
  const quota = {
    apiVersion: "v1",
    kind: "ResourceQuota",
    metadata: { name: "q" },
    spec: { hard: { pods: "2" } },
  };
  await w.cluster.create(quota);
  await w.cluster.settle();
  await w.cluster.create(replicaSet(5));
  expect(await names()).toHaveLength(2);
  const failure = { type: "ReplicaFailure", status: "True", reason: "FailedCreate" };
  expect(await status()).toMatchObject({ replicas: 2, conditions: [failure] });
  const events = await w.events("ReplicaSet");
  expect(
    events.filter((event) => event.startsWith("FailedCreate: Error creating: pods ")).length,
  ).toBeGreaterThan(0);
  await w.cluster.patch("v1", "ResourceQuota", "q", { spec: { hard: { pods: "10" } } });
  await w.cluster.clock.advance("1h");
  expect(await names()).toHaveLength(5);
  expect(await status()).not.toHaveProperty("conditions");
});

/** Upstream: `RealPodControl.DeletePod` (pkg/controller/controller_utils.go). */
test("a refused deletion is reported with what was tried", async () => {
  await w.cluster.create(replicaSet(2));
  await w.runAll();
  await w.cluster.create({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "keep" },
    webhooks: [
      {
        name: "keep.example.com",
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        clientConfig: { service: { namespace: "default", name: "keep" } },
        rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["DELETE"], resources: ["pods"] }],
      },
    ],
  });
  await scale(1);
  const [condition] = (await status())["conditions"] as readonly JsonObject[];
  const refusal = 'Internal error occurred: failed calling webhook "keep.example.com"';
  expect(condition).toMatchObject({ type: "ReplicaFailure", status: "True", reason: "FailedDelete" });
  expect(condition?.["message"]).toMatch(`unable to delete pods: ${refusal}`);
  expect(await w.events("ReplicaSet")).toContainEqual(
    expect.stringContaining(`FailedDelete: Error deleting: ${refusal}`),
  );
});

test.each([
  ["costs of deletion decide", {}, "1.22"],
  ["ages decide without the gate PodDeletionCost", { PodDeletionCost: false }, "1.22"],
  ["costs of deletion decide with the gate PodDeletionCost", { PodDeletionCost: true }, "1.21"],
])("%s", async (title, featureGates, release) => {
  const other = new Workloads({ release, featureGates });
  await other.cluster.create(replicaSet(2));
  const [old, young] = await other.pods();
  if (old === undefined || young === undefined) throw new Error("two pods");
  await other.run(old);
  await other.cluster.clock.advance("1h");
  await other.run(young, { node: "node-2" });
  const annotations = { "controller.kubernetes.io/pod-deletion-cost": "-1" };
  await other.cluster.patch("v1", "Pod", old.metadata.name ?? "", { metadata: { annotations } });
  await other.cluster.patch("apps/v1", "ReplicaSet", "web", { spec: { replicas: 1 } });
  await other.removeTerminating();
  const left = title.startsWith("costs") ? young : old;
  expect((await other.pods()).map(({ metadata }) => metadata.name)).toEqual([left.metadata.name]);
  await other.cluster.close();
});

test("a ReplicationController keeps its pods the same way", async () => {
  const controller = { apiVersion: "v1", kind: "ReplicationController", metadata: { name: "old" } };
  await w.cluster.create({
    ...controller,
    spec: { replicas: 2, selector: { app: "old" }, template: template("old") },
  });
  await w.runAll();
  expect(await w.status("v1", "ReplicationController", "old")).toMatchObject({
    readyReplicas: 2,
    availableReplicas: 2,
  });
  expect((await w.events("ReplicationController")).length).toBe(2);
});

test("a fork goes on by itself", async () => {
  await w.cluster.create(replicaSet(2));
  await w.runAll();
  const fork = w.cluster.fork();
  await fork.patch("apps/v1", "ReplicaSet", "web", { spec: { replicas: 4 } });
  await fork.settle();
  expect((await fork.list("v1", "Pod")).items).toHaveLength(4);
  expect(await names()).toHaveLength(2);
  await fork.close();
});

test("without the controller's name in `controllers`, nothing is created", async () => {
  const still = new Workloads({ controllers: ["*", "-replicaset-controller"] });
  await still.cluster.create(replicaSet(2));
  expect(await still.pods()).toEqual([]);
  await still.cluster.close();
});
