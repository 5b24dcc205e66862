import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Cluster, createCluster, type JsonObject } from "../../src/index.ts";

const claim = {
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name: "data" },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
};
const pod = (nodeName: string | undefined): JsonObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "db" },
  spec: {
    ...(nodeName !== undefined && { nodeName }),
    containers: [{ name: "db", image: "db" }],
    volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }],
  },
});
const volume = {
  apiVersion: "v1",
  kind: "PersistentVolume",
  metadata: { name: "disk" },
  spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/data" } },
};

let cluster: Cluster;
beforeEach(() => {
  cluster = createCluster();
});
afterEach(() => cluster.close());

const namesOf = async (kind: string) =>
  (await cluster.list("v1", kind)).items.map(({ metadata }) => metadata.name);

async function isLeft(kind: string, name: string): Promise<boolean> {
  await cluster.settle();
  return (await namesOf(kind)).includes(name);
}

describe("a deleted claim", () => {
  test.each([
    ["is removed if no pod uses it", undefined, false],
    ["is removed if the pod that uses it is not on a node", pod(undefined), false],
    ["stays while a pod on a node uses it", pod("node-1"), true],
  ])("%s", async (_title, user, expected) => {
    await cluster.create(claim);
    if (user !== undefined) await cluster.create(user);
    await cluster.delete("v1", "PersistentVolumeClaim", "data");
    expect(await isLeft("PersistentVolumeClaim", "data")).toBe(expected);
    if (user !== undefined) await cluster.delete("v1", "Pod", "db", { gracePeriodSeconds: 0 });
    expect(await isLeft("PersistentVolumeClaim", "data")).toBe(false);
  });

  test("gets its finalizer restored if a client removes it before the deletion", async () => {
    await cluster.create(claim);
    await cluster.patch("v1", "PersistentVolumeClaim", "data", { metadata: { finalizers: null } });
    await cluster.settle();
    const { metadata } = await cluster.get("v1", "PersistentVolumeClaim", "data");
    expect(metadata.finalizers).toEqual(["kubernetes.io/pvc-protection"]);
  });
});

describe("a deleted volume", () => {
  test.each([
    ["is removed if it is not bound to a claim", "Available", false],
    ["stays while it is bound to a claim", "Bound", true],
  ])("%s", async (_title, phase, expected) => {
    await cluster.create(volume);
    await cluster.patch("v1", "PersistentVolume", "disk", { status: { phase } }, { subresource: "status" });
    await cluster.delete("v1", "PersistentVolume", "disk");
    expect(await isLeft("PersistentVolume", "disk")).toBe(expected);
  });
});

test("a cluster without these controllers keeps them", async () => {
  const lone = createCluster({ controllers: ["*", "-persistentvolumeclaim-protection-controller"] });
  await lone.create(claim);
  await lone.delete("v1", "PersistentVolumeClaim", "data");
  await lone.settle();
  expect((await lone.list("v1", "PersistentVolumeClaim")).items).toHaveLength(1);
  await lone.close();
});

describe("a VolumeAttributesClass", () => {
  const fast = {
    apiVersion: "storage.k8s.io/v1",
    kind: "VolumeAttributesClass",
    metadata: { name: "fast" },
    driverName: "disk.csi.example.com",
    parameters: { iops: "4000" },
  };
  const named = { volumeAttributesClassName: "fast" };
  const referrers: readonly [
    title: string,
    referrer: JsonObject & { readonly kind: string; readonly metadata: { readonly name: string } },
  ][] = [
    ["a claim", { ...claim, spec: { ...claim.spec, ...named } }],
    [
      "a volume",
      {
        ...volume,
        spec: {
          ...volume.spec,
          hostPath: null,
          csi: { driver: "disk.csi.example.com", volumeHandle: "1" },
          ...named,
        },
      },
    ],
  ];
  const finalizersOf = async (of: Cluster, apiVersion = "storage.k8s.io/v1") => {
    await of.settle();
    return (await of.get(apiVersion, "VolumeAttributesClass", "fast")).metadata.finalizers;
  };

  test.each(referrers)("stays while %s refers to it", async (_title, referrer) => {
    const recent = createCluster({ release: "1.34" });
    await recent.create(fast);
    expect(await finalizersOf(recent)).toEqual(["kubernetes.io/vac-protection"]);
    await recent.create(referrer);
    await recent.delete(fast.apiVersion, fast.kind, "fast");
    expect(await finalizersOf(recent)).toEqual(["kubernetes.io/vac-protection"]);
    await recent.delete("v1", referrer.kind, referrer.metadata.name);
    await recent.settle();
    expect((await recent.list(fast.apiVersion, fast.kind)).items).toEqual([]);
    await recent.close();
  });

  test("stays while a claim still has it, or is being given it", async () => {
    const recent = createCluster({ release: "1.34" });
    await recent.create(fast);
    await recent.create(claim);
    const status = (value: JsonObject) =>
      recent.patch("v1", "PersistentVolumeClaim", "data", { status: value }, { subresource: "status" });
    await status({ currentVolumeAttributesClassName: "fast" });
    await recent.delete(fast.apiVersion, fast.kind, "fast");
    await status({
      currentVolumeAttributesClassName: null,
      modifyVolumeStatus: { status: "Pending", targetVolumeAttributesClassName: "fast" },
    });
    expect(await finalizersOf(recent)).toEqual(["kubernetes.io/vac-protection"]);
    await status({ modifyVolumeStatus: null });
    await recent.settle();
    expect((await recent.list(fast.apiVersion, fast.kind)).items).toEqual([]);
    await recent.close();
  });

  test("gets its finalizer restored, in 1.32 with the gate, and none in 1.31", async () => {
    const options = {
      featureGates: { VolumeAttributesClass: true },
      runtimeConfig: { "storage.k8s.io/v1beta1": true },
    };
    for (const [release, expected] of [
      ["1.31", undefined],
      ["1.32", ["kubernetes.io/vac-protection"]],
    ] as const) {
      const of = createCluster({ release, ...options });
      const apiVersion = "storage.k8s.io/v1beta1";
      await of.create({ ...fast, apiVersion });
      expect(await finalizersOf(of, apiVersion)).toEqual(expected);
      await of.patch(apiVersion, fast.kind, "fast", { metadata: { finalizers: null } });
      expect(await finalizersOf(of, apiVersion)).toEqual(expected);
      await of.close();
    }
  });
});
