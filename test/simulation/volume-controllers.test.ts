import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { JsonObject, KubeObject } from "../../src/index.ts";
import { Workloads } from "./workloads.ts";

let w: Workloads;
beforeEach(async () => {
  w = new Workloads();
  await w.cluster.create({
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata: { name: "disks" },
    provisioner: "disks.example.com",
    allowVolumeExpansion: true,
  });
});
afterEach(() => w.cluster.close());

const claimSpec = (storage: string) => ({
  accessModes: ["ReadWriteOnce"],
  resources: { requests: { storage } },
  storageClassName: "disks",
});

const get = async (kind: string, name: string) => {
  await w.cluster.settle();
  return w.cluster.get<KubeObject>("v1", kind, name);
};

describe("a claim that requests more", () => {
  const claim = (spec: JsonObject = {}) => ({
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: "data" },
    spec: { ...claimSpec("1Gi"), ...spec },
  });
  const grow = () =>
    w.cluster.patch("v1", "PersistentVolumeClaim", "data", {
      spec: { resources: { requests: { storage: "3Gi" } } },
    });

  test("gets it from the resizer of its driver", async () => {
    await w.cluster.create(claim());
    const { metadata, spec } = await get("PersistentVolumeClaim", "data");
    await grow();
    const { status } = await get("PersistentVolumeClaim", "data");
    expect(status).toEqual({ phase: "Bound", accessModes: ["ReadWriteOnce"], capacity: { storage: "3Gi" } });
    const volume = await get("PersistentVolume", String((spec as JsonObject)["volumeName"]));
    expect(volume["spec"]).toMatchObject({ capacity: { storage: "3Gi" } });
    expect((await w.events("PersistentVolumeClaim")).slice(3)).toEqual([
      "ExternalExpanding: waiting for an external controller to expand this PVC",
      `Resizing: External resizer is resizing volume pvc-${metadata.uid}`,
      "VolumeResizeSuccessful: Resize volume succeeded",
    ]);
  });

  test("waits if no provisioner has made its volume", async () => {
    await w.cluster.create({
      apiVersion: "v1",
      kind: "PersistentVolume",
      metadata: { name: "own" },
      spec: {
        capacity: { storage: "1Gi" },
        accessModes: ["ReadWriteOnce"],
        storageClassName: "disks",
        csi: { driver: "disks.example.com", volumeHandle: "own" },
      },
    });
    await w.cluster.create(claim({ volumeName: "own" }));
    await w.cluster.settle();
    await grow();
    const { status } = await get("PersistentVolumeClaim", "data");
    expect(status).toMatchObject({ capacity: { storage: "1Gi" } });
    expect(await w.events("PersistentVolumeClaim")).toEqual([
      "ExternalExpanding: waiting for an external controller to expand this PVC",
    ]);
  });
});

describe("an ephemeral volume", () => {
  const template = { metadata: { labels: { type: "scratch" } }, spec: claimSpec("1Gi") };
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "web" },
    spec: {
      containers: [{ name: "web", image: "nginx" }],
      volumes: [{ name: "tmp", ephemeral: { volumeClaimTemplate: template } }],
    },
  };
  const claims = async () =>
    (await w.all("v1", "PersistentVolumeClaim")).map(({ metadata, status }) => [
      metadata.name,
      metadata.labels,
      (status as JsonObject)["phase"],
    ]);

  test("has a claim that belongs to its pod, and is created again if it is deleted", async () => {
    const { metadata } = await w.cluster.create<KubeObject>(pod);
    expect(await claims()).toEqual([["web-tmp", { type: "scratch" }, "Bound"]]);
    const first = await get("PersistentVolumeClaim", "web-tmp");
    expect(first.metadata.ownerReferences).toEqual([
      {
        apiVersion: "v1",
        kind: "Pod",
        name: "web",
        uid: metadata.uid,
        controller: true,
        blockOwnerDeletion: true,
      },
    ]);
    await w.cluster.patch("v1", "PersistentVolumeClaim", "web-tmp", { metadata: { finalizers: null } });
    await w.cluster.delete("v1", "PersistentVolumeClaim", "web-tmp");
    await w.cluster.patch("v1", "PersistentVolumeClaim", "web-tmp", { metadata: { finalizers: null } });
    expect(await claims()).toEqual([["web-tmp", { type: "scratch" }, "Bound"]]);
    expect((await get("PersistentVolumeClaim", "web-tmp")).metadata.uid).not.toBe(first.metadata.uid);
  });

  test("goes with its pod", async () => {
    await w.cluster.create(pod);
    await w.cluster.settle();
    await w.cluster.delete("v1", "Pod", "web", { gracePeriodSeconds: 0 });
    expect(await claims()).toEqual([]);
  });

  test("has no use of a claim of the same name", async () => {
    await w.cluster.create({
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name: "web-tmp" },
      spec: claimSpec("1Gi"),
    });
    await w.cluster.create(pod);
    expect(await w.events("Pod")).toEqual([
      "FailedBinding: ephemeral volume tmp: PVC default/web-tmp was not created for pod default/web (pod is not owner)",
    ]);
  });
});
