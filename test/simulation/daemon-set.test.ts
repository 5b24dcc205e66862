import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { JsonObject, KubeObject } from "../../src/index.ts";
import { template, Workloads } from "./workloads.ts";

let w: Workloads;
beforeEach(async () => {
  w = new Workloads();
  for (const name of ["a", "b", "c"]) await node(name);
});
afterEach(() => w.cluster.close());

/** New nodes have a taint until their kubelets are ready. */
async function node(name: string, labels: JsonObject = {}): Promise<void> {
  await w.cluster.create({ apiVersion: "v1", kind: "Node", metadata: { name, labels } });
  await w.cluster.patch("v1", "Node", name, { spec: { taints: null } });
}
const daemonSet = (spec: JsonObject = {}): JsonObject => ({
  apiVersion: "apps/v1",
  kind: "DaemonSet",
  metadata: { name: "agent" },
  spec: { selector: { matchLabels: { app: "agent" } }, template: template("agent", "v1"), ...spec },
});
const status = () => w.status("apps/v1", "DaemonSet", "agent");
const setImage = (image: string) =>
  w.cluster.patch("apps/v1", "DaemonSet", "agent", { spec: { template: template("agent", image) } });
const specOf = (pod: KubeObject) => pod["spec"] as JsonObject;
const targetOf = (pod: KubeObject) => {
  const [, name = ""] = /"values":\["([^"]*)"\]/.exec(JSON.stringify(specOf(pod)["affinity"])) ?? [];
  return name;
};
const imageOf = (pod: KubeObject) => (specOf(pod)["containers"] as readonly JsonObject[])[0]?.["image"];
const staying = async () => (await w.pods()).filter(({ metadata }) => !metadata.deletionTimestamp);
const targets = async () => (await staying()).map(targetOf).toSorted();
const images = async () => (await staying()).map(imageOf).toSorted();

async function runAll(): Promise<void> {
  for (const pod of await staying()) {
    if ((pod["status"] as JsonObject)["phase"] === "Pending") await w.run(pod, { node: targetOf(pod) });
  }
  await w.cluster.settle();
}

async function finish(): Promise<void> {
  for (let i = 0; i < 5; i++) {
    await runAll();
    await w.removeTerminating();
  }
}

test("each node gets a pod that tolerates its troubles", async () => {
  await w.cluster.create(daemonSet());
  expect(await targets()).toEqual(["a", "b", "c"]);
  const [pod] = await w.pods();
  const toleration = (taint: string, effect: string) => ({
    key: `node.kubernetes.io/${taint}`,
    operator: "Exists",
    effect,
  });
  expect(specOf(pod ?? ({} as KubeObject))["tolerations"]).toEqual([
    toleration("not-ready", "NoExecute"),
    toleration("unreachable", "NoExecute"),
    toleration("disk-pressure", "NoSchedule"),
    toleration("memory-pressure", "NoSchedule"),
    toleration("pid-pressure", "NoSchedule"),
    toleration("unschedulable", "NoSchedule"),
  ]);
  expect(pod?.metadata.labels).toMatchObject({ app: "agent", "pod-template-generation": "1" });
  await runAll();
  expect(await status()).toEqual({
    currentNumberScheduled: 3,
    numberMisscheduled: 0,
    desiredNumberScheduled: 3,
    numberReady: 3,
    observedGeneration: 1,
    updatedNumberScheduled: 3,
    numberAvailable: 3,
  });
});

/** Upstream: `AddOrUpdateTolerationInPodSpec` (pkg/apis/core/v1/helper/helpers.go). */
test("a toleration of a trouble stays forever, and in its place", async () => {
  const trouble = { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute" };
  const other = { key: "example.com/gpu", operator: "Exists" };
  const spec = {
    ...(template("agent")["spec"] as JsonObject),
    tolerations: [{ ...trouble, tolerationSeconds: 60 }, other],
  };
  await w.cluster.create(daemonSet({ template: { ...template("agent"), spec } }));
  const [pod] = await w.pods();
  const tolerations = specOf(pod ?? ({} as KubeObject))["tolerations"] as readonly JsonObject[];
  expect(tolerations.slice(0, 2)).toEqual([trouble, other]);
  expect(tolerations).toHaveLength(7);
});

/** Upstream: `getUnscheduledPodsWithoutNode` (pkg/controller/daemon/daemon_controller.go). */
test("a pod that waits for a node that is gone is deleted, and an adopted one without a node stays", async () => {
  const metadata = { name: "lone", labels: { app: "agent" } };
  const spec = { containers: [{ name: "main", image: "i" }] };
  await w.cluster.create({ apiVersion: "v1", kind: "Pod", metadata, spec });
  await w.cluster.create(daemonSet());
  await w.cluster.settle();
  await w.cluster.delete("v1", "Node", "a");
  const left = async () => (await staying()).map((pod) => targetOf(pod)).toSorted();
  expect(await left()).toEqual(["", "b", "c"]);
});

test("nodes come, go, and change their labels and taints", async () => {
  const spec = { ...(template("agent")["spec"] as JsonObject), nodeSelector: { disk: "ssd" } };
  await w.cluster.create(daemonSet({ template: { ...template("agent"), spec } }));
  expect(await targets()).toEqual([]);
  await node("d", { disk: "ssd" });
  await w.cluster.patch("v1", "Node", "a", { metadata: { labels: { disk: "ssd" } } });
  expect(await targets()).toEqual(["a", "d"]);
  const taint = (effect: string) => ({ spec: { taints: [{ key: "k", effect }] } });
  await w.cluster.patch("v1", "Node", "a", taint("NoSchedule"));
  expect(await targets()).toEqual(["a", "d"]);
  expect(await status()).toMatchObject({ desiredNumberScheduled: 1, numberMisscheduled: 1 });
  await w.cluster.patch("v1", "Node", "a", taint("NoExecute"));
  expect(await targets()).toEqual(["d"]);
});

test("a failed pod is replaced", async () => {
  await w.cluster.create(daemonSet());
  await runAll();
  const [pod] = await w.pods();
  if (pod === undefined) throw new Error("a pod");
  await w.finish(pod, "Failed");
  await finish();
  expect(await targets()).toEqual(["a", "b", "c"]);
  const place = `daemon pod default/${pod.metadata.name} on node ${targetOf(pod)}`;
  expect(await w.events("DaemonSet")).toContain(
    `FailedDaemonPod: Found failed ${place}, will try to kill it`,
  );
});

/** Upstream: `failedPodsBackoffKey` (pkg/controller/daemon/daemon_controller.go). */
test("a pod that fails again is replaced after a while, and at once after a change of the set", async () => {
  await w.cluster.create(daemonSet({ updateStrategy: { type: "OnDelete" } }));
  const fail = async () => {
    await runAll();
    const pod = (await staying()).find((one) => targetOf(one) === "a");
    if (pod === undefined) throw new Error("a pod");
    await w.finish(pod, "Failed");
    const names = (await staying()).map(({ metadata }) => metadata.name);
    return names.includes(pod.metadata.name) ? "waits" : "replaced";
  };
  expect(await fail()).toBe("replaced");
  await setImage("v2");
  await w.cluster.settle();
  expect(await fail()).toBe("replaced");
  expect(await fail()).toBe("waits");
});

/** Upstream: `IsPodUpdated` (pkg/controller/daemon/util/daemonset_util.go). */
test("pods that a new set adopts are up to date if they are of its generation", async () => {
  await w.cluster.create(daemonSet());
  await runAll();
  await w.cluster.delete("apps/v1", "DaemonSet", "agent", { propagationPolicy: "Orphan" });
  await w.cluster.settle();
  await w.cluster.create(daemonSet({ template: template("agent", "v2") }));
  expect(await images()).toEqual(["v1", "v1", "v1"]);
  expect(await status()).toMatchObject({ updatedNumberScheduled: 3 });
});

/** Upstream: `cleanupHistory` (pkg/controller/daemon/update.go). */
test("former revisions that pods have count towards the limit of the history", async () => {
  await w.cluster.create(daemonSet({ revisionHistoryLimit: 1, updateStrategy: { type: "OnDelete" } }));
  await runAll();
  const revisions = async () =>
    (await w.all("apps/v1", "ControllerRevision")).map(({ revision }) => revision).toSorted();
  await setImage("v2");
  expect(await revisions()).toEqual([1, 2]);
  await setImage("v3");
  expect(await revisions()).toEqual([1, 3]);
});

/** Upstream: `deleteHistory` (pkg/controller/daemon/daemon_controller.go). */
test("a deleted revision is created again", async () => {
  await w.cluster.create(daemonSet());
  const revisions = () => w.all("apps/v1", "ControllerRevision");
  const [first] = await revisions();
  const { name = "" } = first?.metadata ?? {};
  await w.cluster.delete("apps/v1", "ControllerRevision", name);
  const [second] = await revisions();
  expect(second).toMatchObject({ metadata: { name }, data: {}, revision: 1 });
  expect(second?.metadata.uid).not.toBe(first?.metadata.uid);
});

/** Upstream: `snapshot` (pkg/controller/daemon/update.go). */
test("a revision whose name is taken leads to another hash, and the status counts that", async () => {
  await w.cluster.create(daemonSet());
  const [revision] = await w.all("apps/v1", "ControllerRevision");
  await w.cluster.delete("apps/v1", "DaemonSet", "agent", { propagationPolicy: "Background" });
  await w.cluster.settle();
  const { name = "" } = revision?.metadata ?? {};
  await w.cluster.create({
    apiVersion: "apps/v1",
    kind: "ControllerRevision",
    metadata: { name },
    data: {},
    revision: 1,
  });
  await w.cluster.create(daemonSet());
  expect(await status()).toMatchObject({ collisionCount: 1, desiredNumberScheduled: 3 });
  const revisions = await w.all("apps/v1", "ControllerRevision");
  expect(revisions.map((one) => one["revision"])).toEqual([1, 1]);
});

describe("an update", () => {
  /** Upstream: `rollingUpdate` (pkg/controller/daemon/update.go). */
  test.each([
    ["1.30", ["v1", "v1"]],
    ["1.31", ["v1", "v1", "v1"]],
  ])("in %s, replaces pods that are not ready first", async (release, expected) => {
    w = new Workloads({ release });
    for (const name of ["a", "b", "c", "d"]) await node(name);
    await w.cluster.create(daemonSet());
    await runAll();
    const broken = (await staying()).find((pod) => targetOf(pod) === "b");
    if (broken === undefined) throw new Error("a pod");
    await w.run(broken, { isReady: false });
    await setImage("v2");
    expect(await images()).toEqual(expected);
    await w.cluster.close();
  });

  test.each([
    ["1.28", ["a", "a", "b", "c"]],
    ["1.29", ["b", "b", "c"]],
  ])("in %s with maxSurge, knows which nodes still fit", async (release, expected) => {
    w = new Workloads({ release });
    for (const name of ["a", "b", "c"]) await node(name);
    await w.cluster.create(
      daemonSet({ updateStrategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } }),
    );
    await runAll();
    await w.cluster.patch("v1", "Node", "a", { spec: { taints: [{ key: "k", effect: "NoSchedule" }] } });
    await setImage("v2");
    expect(await targets()).toEqual(expected);
    await finish();
    expect(await targets()).toEqual(release === "1.28" ? ["a", "b", "c"] : ["b", "c"]);
    await w.cluster.close();
  });

  test("replaces one pod at a time", async () => {
    await w.cluster.create(daemonSet());
    await runAll();
    await setImage("v2");
    expect(await images()).toEqual(["v1", "v1"]);
    await w.removeTerminating();
    expect(await images()).toEqual(["v1", "v1", "v2"]);
    await finish();
    expect(await images()).toEqual(["v2", "v2", "v2"]);
    expect(await status()).toMatchObject({ updatedNumberScheduled: 3, numberAvailable: 3 });
    expect(await w.all("apps/v1", "ControllerRevision")).toHaveLength(2);
  });

  test("with maxSurge starts the new pod first", async () => {
    await w.cluster.create(
      daemonSet({ updateStrategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } }),
    );
    await runAll();
    await setImage("v2");
    expect(await images()).toEqual(["v1", "v1", "v1", "v2"]);
    await finish();
    expect(await images()).toEqual(["v2", "v2", "v2"]);
  });

  test("waits for the client with OnDelete", async () => {
    await w.cluster.create(daemonSet({ updateStrategy: { type: "OnDelete" } }));
    await runAll();
    await setImage("v2");
    expect(await images()).toEqual(["v1", "v1", "v1"]);
    const [pod] = await w.pods();
    if (pod !== undefined) await w.remove(pod);
    expect(await images()).toEqual(["v1", "v1", "v2"]);
  });
});
