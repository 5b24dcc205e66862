import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { JsonObject, KubeObject } from "../../src/index.ts";
import { template, Workloads } from "./workloads.ts";

let w: Workloads;
beforeEach(() => {
  w = new Workloads();
});
afterEach(() => w.cluster.close());

const deployment = (replicas: number, spec: JsonObject = {}): JsonObject => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web" },
  spec: { replicas, selector: { matchLabels: { app: "web" } }, template: template("web", "v1"), ...spec },
});
const patch = (spec: JsonObject) => w.cluster.patch("apps/v1", "Deployment", "web", { spec });
const setImage = (image: string) => patch({ template: template("web", image) });
const status = () => w.status("apps/v1", "Deployment", "web");
const get = () => w.cluster.get<KubeObject>("apps/v1", "Deployment", "web");
const at = (object: JsonObject | undefined, key: string) => object?.[key] as JsonObject;
const imageOf = (one: KubeObject) => {
  const spec = at(at(one, "spec"), "template")["spec"] as JsonObject;
  return (spec["containers"] as readonly JsonObject[])[0]?.["image"];
};

async function sizes(): Promise<JsonObject> {
  const sets = await w.all("apps/v1", "ReplicaSet");
  return Object.fromEntries(sets.map((one) => [String(imageOf(one)), at(one, "spec")["replicas"] ?? 0]));
}

/** Lets pods run and terminate until nothing changes. */
async function finishRollout(): Promise<void> {
  for (let i = 0; i < 20; i++) {
    await w.runAll();
    await w.removeTerminating();
  }
}

async function conditions(): Promise<JsonObject> {
  const list = (await status())["conditions"] as readonly JsonObject[];
  return Object.fromEntries(list.map(({ type, status: is, reason }) => [String(type), `${is} ${reason}`]));
}

test("a Deployment creates a ReplicaSet with the hash of its template", async () => {
  await w.cluster.create(deployment(2));
  const [set] = await w.all("apps/v1", "ReplicaSet");
  const hash = set?.metadata.labels?.["pod-template-hash"] ?? "";
  expect(hash).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{1,10}$/);
  expect(set?.metadata).toMatchObject({
    name: `web-${hash}`,
    labels: { app: "web", "pod-template-hash": hash },
    annotations: {
      "deployment.kubernetes.io/desired-replicas": "2",
      "deployment.kubernetes.io/max-replicas": "3",
      "deployment.kubernetes.io/revision": "1",
    },
  });
  expect(set?.["spec"]).toMatchObject({
    selector: { matchLabels: { app: "web", "pod-template-hash": hash } },
    template: { metadata: { labels: { app: "web", "pod-template-hash": hash } } },
  });
  expect(await conditions()).toEqual({
    Available: "False MinimumReplicasUnavailable",
    Progressing: "True ReplicaSetUpdated",
  });
  await w.runAll();
  expect(await status()).toMatchObject({
    replicas: 2,
    updatedReplicas: 2,
    readyReplicas: 2,
    availableReplicas: 2,
  });
  expect(await status()).not.toHaveProperty("unavailableReplicas");
  expect(await conditions()).toEqual({
    Available: "True MinimumReplicasAvailable",
    Progressing: "True NewReplicaSetAvailable",
  });
  expect(await w.events("Deployment")).toEqual([
    `ScalingReplicaSet: Scaled up replica set web-${hash} from 0 to 2`,
  ]);
});

test.each([
  ["1.24", " to 2"],
  ["1.31", " to 2"],
  ["1.32", " from 0 to 2"],
])("the Event of a first scaling in %s ends with `%s`", async (release, expected) => {
  const other = new Workloads({ release });
  await other.cluster.create(deployment(2));
  expect((await other.events("Deployment"))[0]).toMatch(new RegExp(`replica set web-[a-z0-9]+${expected}$`));
  await other.cluster.close();
});

test("a rolling update stays within maxSurge and maxUnavailable", async () => {
  await w.cluster.create(deployment(4, { strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } } }));
  await finishRollout();
  await setImage("v2");
  expect(await sizes()).toEqual({ v1: 3, v2: 2 });
  await w.removeTerminating();
  await w.runAll();
  expect(await sizes()).toEqual({ v1: 1, v2: 4 });
  await finishRollout();
  expect(await sizes()).toEqual({ v1: 0, v2: 4 });
  expect(await conditions()).toMatchObject({ Progressing: "True NewReplicaSetAvailable" });
  expect((await get()).metadata.annotations).toEqual({ "deployment.kubernetes.io/revision": "2" });
});

test("Recreate waits for the end of the old pods", async () => {
  await w.cluster.create(deployment(2, { strategy: { type: "Recreate" } }));
  await finishRollout();
  await setImage("v2");
  expect(await sizes()).toEqual({ v1: 0 });
  await w.removeTerminating();
  expect(await sizes()).toEqual({ v1: 0, v2: 2 });
});

test("scaling during a rollout keeps the proportions", async () => {
  await w.cluster.create(deployment(10, { strategy: { rollingUpdate: { maxSurge: 3, maxUnavailable: 2 } } }));
  await finishRollout();
  await setImage("v2");
  await w.removeTerminating();
  expect(await sizes()).toEqual({ v1: 8, v2: 5 });
  await patch({ replicas: 15 });
  expect(await sizes()).toEqual({ v1: 11, v2: 7 });
});

test("a paused Deployment scales and does not roll out", async () => {
  await w.cluster.create(deployment(2));
  await finishRollout();
  await patch({ paused: true });
  expect(await conditions()).toMatchObject({ Progressing: "Unknown DeploymentPaused" });
  await setImage("v2");
  await patch({ replicas: 3 });
  expect(await sizes()).toEqual({ v1: 3 });
  await patch({ paused: false });
  await finishRollout();
  expect(await sizes()).toEqual({ v1: 0, v2: 3 });
});

test.each([
  ["1.34", {}],
  ["1.35", { terminatingReplicas: 0 }],
])(
  "in %s, a Deployment that is paused before its first rollout counts what it can",
  async (release, counts) => {
    const other = new Workloads({ release });
    await other.cluster.create(deployment(1, { paused: true }));
    const { conditions: _, ...rest } = await other.status("apps/v1", "Deployment", "web");
    expect(rest).toEqual({ observedGeneration: 1, ...counts });
    await other.cluster.close();
  },
);

describe("revisions", () => {
  test("the old template gets the newest revision again, and its ReplicaSet remembers the former one", async () => {
    await w.cluster.create(deployment(1));
    await finishRollout();
    await setImage("v2");
    await finishRollout();
    await setImage("v1");
    await finishRollout();
    const sets = await w.all("apps/v1", "ReplicaSet");
    const [first] = sets.filter((one) => imageOf(one) === "v1");
    expect(sets).toHaveLength(2);
    expect(first?.metadata.annotations).toMatchObject({
      "deployment.kubernetes.io/revision": "3",
      "deployment.kubernetes.io/revision-history": "1",
    });
  });

  const revision = "deployment.kubernetes.io/revision";

  test.each([
    ["abc", "abc", "1"],
    ["1e9", "1e9", "1"],
    ["-7", "1", "2"],
    ["", "1", "2"],
    ["41", "41", "42"],
    ["9007199254740993", "9007199254740993", "9007199254740994"],
    // After the greatest one, the new ReplicaSet has none.
    ["9223372036854775807", "9223372036854775807", undefined],
    ["9223372036854775808", "9223372036854775808", "1"],
  ])("a client writes %j: the ReplicaSet has %j, the next one %j", async (written, kept, next) => {
    await w.cluster.create(deployment(1));
    await finishRollout();
    const revisions = async () => {
      const sets = await w.all("apps/v1", "ReplicaSet");
      return new Map(sets.map((set) => [imageOf(set), set.metadata.annotations?.[revision]]));
    };
    const [set] = await w.all("apps/v1", "ReplicaSet");
    const metadata = { annotations: { [revision]: written } };
    await w.cluster.patch("apps/v1", "ReplicaSet", set?.metadata.name ?? "", { metadata });
    expect((await revisions()).get("v1")).toBe(kept);
    expect((await get()).metadata.annotations?.[revision]).toBe(kept);
    await setImage("v2");
    await finishRollout();
    expect((await revisions()).get("v2")).toBe(next);
  });

  test("beyond revisionHistoryLimit are deleted", async () => {
    await w.cluster.create(deployment(1, { revisionHistoryLimit: 1 }));
    for (const image of ["v2", "v3", "v4"]) {
      await finishRollout();
      await setImage(image);
    }
    await finishRollout();
    expect(await sizes()).toEqual({ v3: 0, v4: 1 });
  });

  test("a rollback by the annotation of old clients restores the template", async () => {
    await w.cluster.create(deployment(1));
    await finishRollout();
    await setImage("v2");
    await finishRollout();
    const annotations = { "deprecated.deployment.rollback.to": "0" };
    await w.cluster.patch("apps/v1", "Deployment", "web", { metadata: { annotations } });
    await finishRollout();
    expect(await sizes()).toEqual({ v1: 1, v2: 0 });
    expect((await w.events("Deployment")).join()).toContain(
      `DeploymentRollback: Rolled back deployment "web" to revision 1`,
    );
    expect((await get()).metadata.annotations).not.toHaveProperty("deprecated.deployment.rollback.to");
  });
});

test("a rollout without progress exceeds its deadline, and recovers", async () => {
  await w.cluster.create(deployment(1, { progressDeadlineSeconds: 60 }));
  await w.cluster.settle();
  await w.cluster.clock.advance("59s");
  expect(await conditions()).toMatchObject({ Progressing: "True ReplicaSetUpdated" });
  await w.cluster.clock.advance("3s");
  expect(await conditions()).toMatchObject({ Progressing: "False ProgressDeadlineExceeded" });
  await w.runAll();
  expect(await conditions()).toMatchObject({ Progressing: "True NewReplicaSetAvailable" });
});

test("a ReplicaSet that cannot create pods is reported", async () => {
  await w.cluster.create({
    apiVersion: "v1",
    kind: "ResourceQuota",
    metadata: { name: "q" },
    spec: { hard: { pods: "0" } },
  });
  await w.cluster.settle();
  await w.cluster.create(deployment(1));
  expect(await conditions()).toMatchObject({ ReplicaFailure: "True FailedCreate" });
});

test("a name that is taken leads to another hash", async () => {
  await w.cluster.create(deployment(1));
  const [set] = await w.all("apps/v1", "ReplicaSet");
  const other = new Workloads();
  const { name = "" } = set?.metadata ?? {};
  const spec = { selector: { matchLabels: { app: "x" } }, template: template("x"), replicas: 0 };
  await other.cluster.create({ apiVersion: "apps/v1", kind: "ReplicaSet", metadata: { name }, spec });
  await other.cluster.create(deployment(1));
  await other.cluster.settle();
  await other.cluster.clock.advance("1s");
  expect(await other.status("apps/v1", "Deployment", "web")).toMatchObject({ collisionCount: 1 });
  expect(await other.all("apps/v1", "ReplicaSet")).toHaveLength(2);
  await other.cluster.close();
});
