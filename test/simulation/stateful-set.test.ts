import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { JsonObject, KubeObject } from "../../src/index.ts";
import { template, Workloads } from "./workloads.ts";

let w: Workloads;
beforeEach(() => {
  w = new Workloads();
});
afterEach(() => w.cluster.close());

const statefulSet = (replicas: number, spec: JsonObject = {}): JsonObject => ({
  apiVersion: "apps/v1",
  kind: "StatefulSet",
  metadata: { name: "db" },
  spec: {
    serviceName: "db",
    replicas,
    selector: { matchLabels: { app: "db" } },
    template: template("db", "v1"),
    ...spec,
  },
});
const data = {
  metadata: { name: "data" },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
};
const patch = (spec: JsonObject) => w.cluster.patch("apps/v1", "StatefulSet", "db", { spec });
const setImage = (image: string) => patch({ template: template("db", image) });
const status = () => w.status("apps/v1", "StatefulSet", "db");
const names = async () => (await w.pods()).map(({ metadata }) => metadata.name);
const claims = async () => (await w.all("v1", "PersistentVolumeClaim")).map(({ metadata }) => metadata.name);
const imageOf = (pod: KubeObject) =>
  ((pod["spec"] as JsonObject)["containers"] as readonly JsonObject[])[0]?.["image"];
const images = async () =>
  Object.fromEntries((await w.pods()).map((pod) => [pod.metadata.name, imageOf(pod)]));

/** Lets pods run and terminate until nothing changes. */
async function finish(): Promise<void> {
  for (let i = 0; i < 10; i++) {
    await w.runAll();
    await w.removeTerminating();
  }
}

test("pods are created one after the other, each when the one before is ready", async () => {
  await w.cluster.create(statefulSet(3));
  expect(await names()).toEqual(["db-0"]);
  await w.runAll();
  expect(await names()).toEqual(["db-0", "db-1"]);
  await finish();
  expect(await names()).toEqual(["db-0", "db-1", "db-2"]);
  const revision = (await status())["currentRevision"];
  expect(revision).toMatch(/^db-[bcdfghjklmnpqrstvwxz2456789]+$/);
  expect(await status()).toEqual({
    observedGeneration: 1,
    replicas: 3,
    readyReplicas: 3,
    currentReplicas: 3,
    updatedReplicas: 3,
    availableReplicas: 3,
    currentRevision: revision,
    updateRevision: revision,
    collisionCount: 0,
  });
  expect(await w.events("StatefulSet")).toEqual(
    [0, 1, 2].map((i) => `SuccessfulCreate: create Pod db-${i} in StatefulSet db successful`),
  );
});

test("a pod has its identity", async () => {
  await w.cluster.create(statefulSet(1, { ordinals: { start: 5 } }));
  const [pod] = await w.pods();
  const revision = (await status())["updateRevision"];
  expect(pod?.metadata).toMatchObject({
    name: "db-5",
    generateName: "db-",
    labels: {
      app: "db",
      "apps.kubernetes.io/pod-index": "5",
      "controller-revision-hash": revision,
      "statefulset.kubernetes.io/pod-name": "db-5",
    },
  });
  expect(pod?.["spec"]).toMatchObject({ hostname: "db-5", subdomain: "db" });
});

test("Parallel creates and deletes all pods at once", async () => {
  await w.cluster.create(statefulSet(3, { podManagementPolicy: "Parallel" }));
  expect(await names()).toEqual(["db-0", "db-1", "db-2"]);
  await w.runAll();
  await patch({ replicas: 1 });
  await w.removeTerminating();
  expect(await names()).toEqual(["db-0"]);
});

/** Upstream: `runForAll` (pkg/controller/statefulset/stateful_set_control.go). */
test("Parallel tries the pods in batches of 1, 2 and 4 until one is refused", async () => {
  const hard = { pods: "4" };
  await w.cluster.create({
    apiVersion: "v1",
    kind: "ResourceQuota",
    metadata: { name: "q" },
    spec: { hard },
  });
  await w.cluster.settle();
  await w.cluster.create(statefulSet(9, { podManagementPolicy: "Parallel" }));
  expect(await names()).toEqual(["db-0", "db-1", "db-2", "db-3"]);
  const refused = (await w.events("StatefulSet")).filter((event) => event.startsWith("FailedCreate"));
  const pods = refused.map((event) => /create Pod (db-\d)/.exec(event)?.[1]);
  expect(pods).toEqual(["db-4", "db-5", "db-6"]);
});

test("scaling down deletes the highest ordinal first, one at a time", async () => {
  await w.cluster.create(statefulSet(3));
  await finish();
  await patch({ replicas: 1 });
  const going = async () =>
    (await w.pods())
      .filter(({ metadata }) => metadata.deletionTimestamp)
      .map(({ metadata }) => metadata.name);
  expect(await going()).toEqual(["db-2"]);
  await w.removeTerminating();
  expect(await going()).toEqual(["db-1"]);
  await finish();
  expect(await names()).toEqual(["db-0"]);
});

test("a pod that failed is created again", async () => {
  await w.cluster.create(statefulSet(1));
  await finish();
  const [pod] = await w.pods();
  if (pod === undefined) throw new Error("a pod");
  await w.finish(pod, "Failed");
  await finish();
  expect((await w.pods()).map(({ metadata }) => metadata.name)).toEqual(["db-0"]);
  expect((await w.pods())[0]?.metadata.uid).not.toBe(pod.metadata.uid);
});

describe("a rolling update", () => {
  test("replaces the pods from the highest ordinal down", async () => {
    await w.cluster.create(statefulSet(2));
    await finish();
    await setImage("v2");
    await w.removeTerminating();
    expect(await images()).toEqual({ "db-0": "v1", "db-1": "v2" });
    await finish();
    expect(await images()).toEqual({ "db-0": "v2", "db-1": "v2" });
    const { currentRevision, updateRevision } = await status();
    expect(currentRevision).toBe(updateRevision);
    expect(await w.all("apps/v1", "ControllerRevision")).toMatchObject([
      { revision: expect.any(Number) },
      { revision: expect.any(Number) },
    ]);
  });

  test("stops at the partition, below which pods keep their revision even if created again", async () => {
    await w.cluster.create(statefulSet(3, { updateStrategy: { rollingUpdate: { partition: 2 } } }));
    await finish();
    await setImage("v2");
    await finish();
    expect(await images()).toEqual({ "db-0": "v1", "db-1": "v1", "db-2": "v2" });
    const [first] = await w.pods();
    if (first !== undefined) await w.remove(first);
    await finish();
    expect(await images()).toMatchObject({ "db-0": "v1" });
    expect(await status()).toMatchObject({ currentReplicas: 2, updatedReplicas: 1 });
  });

  test("waits for the client with OnDelete", async () => {
    await w.cluster.create(statefulSet(2, { updateStrategy: { type: "OnDelete" } }));
    await finish();
    await setImage("v2");
    await finish();
    expect(await images()).toEqual({ "db-0": "v1", "db-1": "v1" });
    const [first] = await w.pods();
    if (first !== undefined) await w.remove(first);
    await finish();
    expect(await images()).toEqual({ "db-0": "v2", "db-1": "v1" });
  });

  test("back to a former template gives its revision the highest number", async () => {
    await w.cluster.create(statefulSet(1, { revisionHistoryLimit: 1 }));
    for (const image of ["v2", "v3", "v2"]) {
      await finish();
      await setImage(image);
    }
    await finish();
    const revisions = await w.all("apps/v1", "ControllerRevision");
    expect(revisions.map(({ revision }) => revision).toSorted()).toEqual([3, 4]);
  });
});

describe("claims", () => {
  test("are created with their pods, and stay when the set shrinks", async () => {
    await w.cluster.create(statefulSet(2, { volumeClaimTemplates: [data] }));
    await finish();
    expect(await claims()).toEqual(["data-db-0", "data-db-1"]);
    const [pod] = await w.pods();
    const { volumes } = (pod?.["spec"] ?? {}) as JsonObject;
    expect(volumes).toContainEqual({
      name: "data",
      persistentVolumeClaim: { claimName: "data-db-0" },
    });
    await patch({ replicas: 1 });
    await finish();
    expect(await claims()).toEqual(["data-db-0", "data-db-1"]);
    expect((await w.events("StatefulSet"))[0]).toBe(
      "SuccessfulCreate: create Claim data-db-0 Pod db-0 in StatefulSet db success",
    );
  });

  test("belong to their owners as the retention policy says", async () => {
    const persistentVolumeClaimRetentionPolicy = { whenScaled: "Delete", whenDeleted: "Retain" };
    await w.cluster.create(
      statefulSet(2, { volumeClaimTemplates: [data], persistentVolumeClaimRetentionPolicy }),
    );
    await finish();
    await patch({ replicas: 1 });
    await finish();
    expect(await claims()).toEqual(["data-db-0"]);
    await w.cluster.delete("apps/v1", "StatefulSet", "db");
    await finish();
    expect(await claims()).toEqual(["data-db-0"]);
  });

  test.each([
    ["1.27", { apiVersion: "apps/v1", kind: "StatefulSet", name: "db" }],
    [
      "1.28",
      { apiVersion: "apps/v1", kind: "StatefulSet", name: "db", controller: true, blockOwnerDeletion: true },
    ],
  ] as const)("in %s, have the set as their owner once the policy says so", async (release, owner) => {
    const old = new Workloads({ release });
    await old.cluster.create(statefulSet(1, { volumeClaimTemplates: [data] }));
    await old.runAll();
    const persistentVolumeClaimRetentionPolicy = { whenScaled: "Retain", whenDeleted: "Delete" };
    await old.cluster.patch("apps/v1", "StatefulSet", "db", {
      spec: { persistentVolumeClaimRetentionPolicy },
    });
    const [claim] = await old.all("v1", "PersistentVolumeClaim");
    expect(claim?.metadata.ownerReferences).toEqual([{ ...owner, uid: expect.any(String) }]);
    expect(await old.events("StatefulSet")).toContain(
      "SuccessfulUpdate: update Pod db-0 in StatefulSet db successful",
    );
    await old.cluster.close();
  });

  /** Upstream: `createMissingPersistentVolumeClaims` (pkg/controller/statefulset/stateful_pod_control.go). */
  test("of a pod that is pending get the owner of a new policy", async () => {
    await w.cluster.create(statefulSet(1, { volumeClaimTemplates: [data] }));
    await w.cluster.settle();
    await patch({ persistentVolumeClaimRetentionPolicy: { whenScaled: "Retain", whenDeleted: "Delete" } });
    const [claim] = await w.all("v1", "PersistentVolumeClaim");
    expect(claim?.metadata.ownerReferences).toMatchObject([{ kind: "StatefulSet", name: "db" }]);
  });

  /** Upstream: `UpdateStatefulPod` (pkg/controller/statefulset/stateful_pod_control.go). */
  test("that an adopted pod lacks are created, and the set waits in vain for the pod to have them", async () => {
    await w.cluster.create(statefulSet(1));
    await finish();
    await w.cluster.delete("apps/v1", "StatefulSet", "db", { propagationPolicy: "Orphan" });
    await w.cluster.settle();
    await w.cluster.create(statefulSet(1, { volumeClaimTemplates: [data], template: template("db", "v2") }));
    await finish();
    expect([await claims(), await images()]).toEqual([["data-db-0"], { "db-0": "v1" }]);
    expect(await w.events("StatefulSet")).toContainEqual(
      expect.stringMatching(
        /^FailedUpdate: update Pod db-0 in StatefulSet db failed error: Pod "db-0" is invalid: spec: Forbidden/,
      ),
    );
  });

  describe("of a former pod of the same name", () => {
    const policy = { whenScaled: "Delete", whenDeleted: "Retain" };
    const names = async () => (await w.pods()).map(({ metadata }) => metadata.name);
    const owners = async () =>
      (await w.all("v1", "PersistentVolumeClaim")).map(({ metadata }) => metadata.ownerReferences);

    test("keep the pod from being created until they are gone", async () => {
      await w.cluster.create(
        statefulSet(2, { volumeClaimTemplates: [data], persistentVolumeClaimRetentionPolicy: policy }),
      );
      await finish();
      const target = ["v1", "PersistentVolumeClaim", "data-db-1"] as const;
      await w.cluster.patch(...target, { metadata: { finalizers: ["example.com/wait"] } });
      await patch({ replicas: 1 });
      await finish();
      await patch({ replicas: 2 });
      await finish();
      expect([await names(), await claims()]).toEqual([["db-0"], ["data-db-0", "data-db-1"]]);
      await w.cluster.patch(...target, { metadata: { finalizers: null } });
      await finish();
      expect([await names(), await claims()]).toEqual([
        ["db-0", "db-1"],
        ["data-db-0", "data-db-1"],
      ]);
      expect(await owners()).toEqual([undefined, undefined]);
    });

    test("stay with another controller", async () => {
      const controller = await w.cluster.create<KubeObject>({
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "backup" },
      });
      const { name = "", uid = "" } = controller.metadata;
      const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name, uid, controller: true }];
      const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
      const metadata = { name: "data-db-0", ownerReferences };
      await w.cluster.create({ apiVersion: "v1", kind: "PersistentVolumeClaim", metadata, spec });
      const retention = { whenScaled: "Retain", whenDeleted: "Delete" };
      await w.cluster.create(
        statefulSet(1, { volumeClaimTemplates: [data], persistentVolumeClaimRetentionPolicy: retention }),
      );
      await w.runAll();
      expect([await names(), await owners()]).toEqual([["db-0"], [ownerReferences]]);
    });
  });

  test("that cannot be created keep their pod from being created, with all reasons", async () => {
    await w.cluster.create({
      apiVersion: "v1",
      kind: "ResourceQuota",
      metadata: { name: "none" },
      spec: { hard: { persistentvolumeclaims: "0" } },
    });
    await w.cluster.settle();
    const logs = { ...data, metadata: { name: "logs" } };
    await w.cluster.create(statefulSet(1, { volumeClaimTemplates: [data, logs] }));
    const refusal = (name: string) =>
      `persistentvolumeclaims "${name}-db-0" is forbidden: exceeded quota: none, requested: persistentvolumeclaims=1, used: persistentvolumeclaims=0, limited: persistentvolumeclaims=0`;
    const failed = (name: string) => `failed to create PVC ${name}-db-0: ${refusal(name)}`;
    const events = await w.events("StatefulSet");
    expect(events).toEqual(
      expect.arrayContaining([
        `FailedCreate: create Claim data-db-0 for Pod db-0 in StatefulSet db failed error: ${refusal("data")}`,
        `FailedCreate: create Claim logs-db-0 for Pod db-0 in StatefulSet db failed error: ${refusal("logs")}`,
        `FailedCreate: create Pod db-0 in StatefulSet db failed error: [${failed("data")}, ${failed("logs")}]`,
      ]),
    );
    expect(await names()).toEqual([]);
  });
});

test("a pod without its label gets it back", async () => {
  await w.cluster.create(statefulSet(1));
  await finish();
  const label = "statefulset.kubernetes.io/pod-name";
  await w.cluster.patch("v1", "Pod", "db-0", { metadata: { labels: { [label]: null } } });
  expect((await w.pods())[0]?.metadata.labels?.[label]).toBe("db-0");
  expect(await w.events("StatefulSet")).toContain(
    "SuccessfulUpdate: update Pod db-0 in StatefulSet db successful",
  );
});

test("the status of an update counts a pod no more once it is deleted", async () => {
  await w.cluster.create(statefulSet(2));
  await finish();
  await setImage("v2");
  expect(await status()).toMatchObject({ replicas: 2, currentReplicas: 1 });
  await finish();
  expect(await status()).toMatchObject({ currentReplicas: 2, updatedReplicas: 2 });
});

/** Upstream: `isUnavailable` (pkg/controller/statefulset/stateful_set_utils.go). */
test.each([
  ["1.33", ["v1", "v2"]],
  ["1.34", ["v1", "v2"]],
] as const)("in %s, an update waits for minReadySeconds", async (release, after) => {
  const old = new Workloads({ release });
  await old.cluster.create(statefulSet(2, { minReadySeconds: 10, podManagementPolicy: "Parallel" }));
  await old.runAll();
  await old.cluster.clock.advance("10s");
  await old.cluster.settle();
  await old.cluster.patch("apps/v1", "StatefulSet", "db", { spec: { template: template("db", "v2") } });
  await old.removeTerminating();
  await old.runAll();
  const [first, second] = await old.pods();
  const waits = first !== undefined && !first.metadata.deletionTimestamp;
  expect([waits, second && imageOf(second)]).toEqual([release === "1.34", after[1]]);
  await old.cluster.close();
});

describe("an update with maxUnavailable", () => {
  /** A set of five pods with a new template. The gate is off by default in all releases. */
  async function updating(podManagementPolicy: string, release: string, maxUnavailable: number | string) {
    const gated = new Workloads({ release, featureGates: { MaxUnavailableStatefulSet: true } });
    const updateStrategy = { rollingUpdate: { maxUnavailable } };
    await gated.cluster.create(statefulSet(5, { podManagementPolicy, updateStrategy }));
    for (let i = 0; i < 5; i++) await gated.runAll();
    await gated.cluster.patch("apps/v1", "StatefulSet", "db", { spec: { template: template("db", "v2") } });
    return gated;
  }

  /** Each pod: `-` while it terminates, else its image, with `?` while it is not ready. */
  async function pods(gated: Workloads): Promise<string> {
    const shown = new Map<string, string>();
    for (const pod of await gated.pods()) {
      const isPending = (pod["status"] as JsonObject)["phase"] === "Pending";
      const text = pod.metadata.deletionTimestamp ? "-" : `${imageOf(pod)}${isPending ? "?" : ""}`;
      shown.set(pod.metadata.name ?? "", text);
    }
    return [0, 1, 2, 3, 4].map((i) => shown.get(`db-${i}`) ?? "none").join(" ");
  }

  const find = async (gated: Workloads, name: string) => {
    const pod = (await gated.pods()).find(({ metadata }) => metadata.name === name);
    if (pod === undefined) throw new Error(name);
    return pod;
  };

  test.each(["1.24", "1.34", "1.36"])(
    "goes on with each pod that is ready if Parallel, in %s",
    async (release) => {
      const gated = await updating("Parallel", release, "60%");
      expect(await pods(gated)).toBe("v1 v1 - - -");
      await gated.removeTerminating();
      expect(await pods(gated)).toBe("v1 v1 v2? v2? v2?");
      await gated.run(await find(gated, "db-3"));
      expect(await pods(gated)).toBe("v1 - v2? v2 v2?");
      await gated.remove(await find(gated, "db-1"));
      await gated.run(await find(gated, "db-4"));
      expect(await pods(gated)).toBe("- v2? v2? v2 v2");
      await gated.cluster.close();
    },
  );

  test.each(["1.24", "1.34", "1.36"])("waits for all pods with OrderedReady, in %s", async (release) => {
    const gated = await updating("OrderedReady", release, 2);
    expect(await pods(gated)).toBe("v1 v1 v1 - -");
    await gated.remove(await find(gated, "db-4"));
    expect(await pods(gated)).toBe("v1 v1 v1 - none");
    await gated.remove(await find(gated, "db-3"));
    expect(await pods(gated)).toBe("v1 v1 v1 v2? none");
    await gated.runAll();
    expect(await pods(gated)).toBe("v1 v1 v1 v2 v2?");
    await gated.runAll();
    expect(await pods(gated)).toBe("v1 - - v2 v2");
    await gated.cluster.close();
  });

  test("counts the pods that it has not created yet, and passes over them", async () => {
    const gated = await updating("Parallel", "1.36", 3);
    await gated.removeTerminating();
    await gated.runAll();
    expect(await pods(gated)).toBe("- - v2 v2 v2");
    await gated.cluster.patch("apps/v1", "StatefulSet", "db", { spec: { template: template("db", "v3") } });
    expect(await pods(gated)).toBe("- - v2 v2 -");
    await gated.remove(await find(gated, "db-4"));
    expect((await pods(gated)).split(" ").filter((pod) => pod === "-")).toHaveLength(2);
    await gated.cluster.close();
  });

  test("is one pod at a time without the gate", async () => {
    const updateStrategy = { rollingUpdate: { maxUnavailable: 3 } };
    await w.cluster.create(statefulSet(5, { podManagementPolicy: "Parallel", updateStrategy }));
    await w.runAll();
    await setImage("v2");
    expect(await pods(w)).toBe("v1 v1 v1 v1 -");
  });
});
