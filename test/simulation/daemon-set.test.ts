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

describe("an update", () => {
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
