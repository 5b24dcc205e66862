import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Cluster, createCluster, type JsonObject, type KubeObject } from "../../src/index.ts";
import { Workloads } from "./workloads.ts";

let w: Workloads;
beforeEach(() => {
  w = new Workloads();
});
afterEach(() => w.cluster.close());

const claim = (name: string, spec: JsonObject = {}): JsonObject => ({
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name },
  spec: {
    accessModes: ["ReadWriteOnce"],
    resources: { requests: { storage: "2Gi" } },
    storageClassName: "",
    ...spec,
  },
});

const volume = (name: string, storage: string, spec: JsonObject = {}, labels = {}): JsonObject => ({
  apiVersion: "v1",
  kind: "PersistentVolume",
  metadata: { name, labels },
  spec: {
    capacity: { storage },
    accessModes: ["ReadWriteOnce"],
    hostPath: { path: "/data" },
    ...spec,
  },
});

const storageClass = (fields: JsonObject = {}): JsonObject => ({
  apiVersion: "storage.k8s.io/v1",
  kind: "StorageClass",
  metadata: { name: "fast" },
  provisioner: "disks.example.com",
  ...fields,
});

async function create(...objects: readonly JsonObject[]): Promise<void> {
  for (const object of objects) await w.cluster.create(object);
  await w.cluster.settle();
}

/** Each claim with its phase and volume. */
const claims = async () =>
  (await w.all("v1", "PersistentVolumeClaim")).map(({ metadata, spec, status }) => [
    metadata.name,
    (status as JsonObject)["phase"],
    (spec as JsonObject)["volumeName"],
  ]);
/** Each volume with its phase. */
const phases = async () =>
  (await w.all("v1", "PersistentVolume")).map(({ metadata, status }) => [
    metadata.name,
    (status as JsonObject)["phase"],
  ]);
const get = (kind: string, name: string) => w.cluster.get<KubeObject>("v1", kind, name);

test("a claim binds to the smallest volume that suits it, and both say so", async () => {
  await create(
    volume("big", "9Gi"),
    volume("fits", "3Gi"),
    volume("small", "1Gi"),
    volume("many", "2Gi", { accessModes: ["ReadWriteOnce", "ReadOnlyMany"] }),
    volume("classy", "2Gi", { storageClassName: "fast" }),
    claim("data"),
  );
  expect(await claims()).toEqual([["data", "Bound", "fits"]]);
  const bound = await get("PersistentVolumeClaim", "data");
  expect(bound).toMatchObject({
    metadata: {
      annotations: {
        "pv.kubernetes.io/bind-completed": "yes",
        "pv.kubernetes.io/bound-by-controller": "yes",
      },
    },
    status: { accessModes: ["ReadWriteOnce"], capacity: { storage: "3Gi" } },
  });
  expect(await get("PersistentVolume", "fits")).toMatchObject({
    metadata: { annotations: { "pv.kubernetes.io/bound-by-controller": "yes" } },
    spec: { claimRef: { kind: "PersistentVolumeClaim", name: "data", uid: bound.metadata.uid } },
    status: { phase: "Bound" },
  });
});

test("a claim waits for a volume, also in a fork", async () => {
  await create(volume("small", "1Gi"), claim("data"));
  expect(await claims()).toEqual([["data", "Pending", undefined]]);
  expect(await w.events("PersistentVolumeClaim")).toEqual([
    "FailedBinding: no persistent volumes available for this claim and no storage class is set",
  ]);
  await using fork = w.cluster.fork();
  await fork.create(volume("big", "4Gi"));
  await fork.settle();
  const forked = await fork.get<KubeObject>("v1", "PersistentVolumeClaim", "data");
  expect(forked["status"]).toMatchObject({ phase: "Bound" });
  expect(await claims()).toEqual([["data", "Pending", undefined]]);
});

test("a selector and a reservation choose volumes", async () => {
  const claimRef = { namespace: "default", name: "reserved" };
  await create(
    volume("a", "2Gi"),
    volume("b", "5Gi", {}, { disk: "ssd" }),
    volume("c", "6Gi", { claimRef }),
    claim("selects", { selector: { matchLabels: { disk: "ssd" } } }),
    claim("reserved"),
  );
  expect(await claims()).toEqual([
    ["reserved", "Bound", "c"],
    ["selects", "Bound", "b"],
  ]);
});

test("a claim that names its volume gets this one or none", async () => {
  await create(volume("a", "1Gi"), claim("wants-a", { volumeName: "a" }), volume("b", "2Gi"));
  await create(claim("wants-b", { volumeName: "b" }), claim("late", { volumeName: "b" }));
  expect(await claims()).toEqual([
    ["late", "Pending", "b"],
    ["wants-a", "Pending", "a"],
    ["wants-b", "Bound", "b"],
  ]);
  expect(await w.events("PersistentVolumeClaim")).toEqual(
    expect.arrayContaining([
      'VolumeMismatch: Cannot bind to requested volume "a": requested PV is too small',
      'FailedBinding: volume "b" already bound to a different claim.',
    ]),
  );
});

test("a storage class provides a volume, which goes with its claim", async () => {
  await create(claim("data", { storageClassName: "fast" }));
  expect(await w.events("PersistentVolumeClaim")).toEqual([
    'ProvisioningFailed: storageclass.storage.k8s.io "fast" not found',
  ]);
  await create(storageClass());
  const { uid } = (await get("PersistentVolumeClaim", "data")).metadata;
  const name = `pvc-${uid}`;
  expect(await claims()).toEqual([["data", "Bound", name]]);
  expect((await w.events("PersistentVolumeClaim")).slice(1)).toEqual([
    "ExternalProvisioning: Waiting for a volume to be created either by the external provisioner 'disks.example.com' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.",
    'Provisioning: External provisioner is provisioning volume for claim "default/data"',
    `ProvisioningSucceeded: Successfully provisioned volume ${name}`,
  ]);
  expect(await get("PersistentVolume", name)).toMatchObject({
    metadata: { annotations: { "pv.kubernetes.io/provisioned-by": "disks.example.com" } },
    spec: { capacity: { storage: "2Gi" }, storageClassName: "fast", persistentVolumeReclaimPolicy: "Delete" },
    status: { phase: "Bound" },
  });
  await w.cluster.delete("v1", "PersistentVolumeClaim", "data");
  expect(await phases()).toEqual([]);
});

test.each([
  ["disks.example.com", "csi"],
  ["rancher.io/local-path", "hostPath"],
  ["k8s.io/minikube-hostpath", "hostPath"],
  ["my_provisioner", "hostPath"],
])("the provisioner %s makes volumes of type %s", async (provisioner, type) => {
  await create({ ...storageClass(), provisioner }, claim("data", { storageClassName: "fast" }));
  const [[, phase, name] = []] = await claims();
  expect(phase).toBe("Bound");
  expect(await get("PersistentVolume", String(name))).toMatchObject({ spec: { [type]: expect.anything() } });
});

test.each([
  ["Retain", "Released", []],
  ["Recycle", "Available", ["VolumeRecycled: Volume recycled"]],
  [
    "Delete",
    "Failed",
    ["VolumeFailedDelete: host_path deleter only supports /tmp/.+ but received provided /data"],
  ],
])("after its claim, a volume with the policy %s is %s", async (policy, phase, events) => {
  await create(volume("a", "2Gi", { persistentVolumeReclaimPolicy: policy }), claim("data"));
  await w.cluster.delete("v1", "PersistentVolumeClaim", "data");
  expect(await phases()).toEqual([["a", phase]]);
  expect(await w.events("PersistentVolume")).toEqual(events);
  await create(claim("next"));
  expect(await claims()).toEqual([
    ["next", ...(phase === "Available" ? ["Bound", "a"] : ["Pending", undefined])],
  ]);
});

test.each<[string, JsonObject, string | undefined]>([
  ["a directory below /tmp", { hostPath: { path: "/tmp/data" } }, undefined],
  [
    "/tmp",
    { hostPath: { path: "/tmp/" } },
    "host_path deleter only supports /tmp/.+ but received provided /tmp/",
  ],
  ["an NFS share", { nfs: { server: "s", path: "/" } }, "no deletable volume plugin matched"],
  [
    "a CSI volume",
    { csi: { driver: "d.example.com", volumeHandle: "h" } },
    "no deletable volume plugin matched",
  ],
  [
    "an iSCSI disk",
    { iscsi: { targetPortal: "1.2.3.4", iqn: "iqn.2026-01.a:b", lun: 0 } },
    "no volume plugin matched",
  ],
])(
  "%s that no provisioner has made goes with its claim if it can be deleted",
  async (_title, source, why) => {
    const { hostPath: _, ...spec } = volume("a", "2Gi", { persistentVolumeReclaimPolicy: "Delete" })[
      "spec"
    ] as JsonObject;
    await create({ ...volume("a", "2Gi"), spec: { ...spec, ...source } }, claim("data"));
    await w.cluster.delete("v1", "PersistentVolumeClaim", "data");
    expect(await phases()).toEqual(why === undefined ? [] : [["a", "Failed"]]);
    const events = why === undefined ? [] : [expect.stringMatching(/^VolumeFailedDelete: /)];
    expect(await w.events("PersistentVolume")).toEqual(events);
    expect((await w.events("PersistentVolume")).join()).toContain(why ?? "");
  },
);

test("a claim without a class gets the default class when there is one, since 1.26", async () => {
  const { storageClassName: _, ...spec } = claim("data")["spec"] as JsonObject;
  await create({ ...claim("data"), spec }, claim("none"));
  const annotations = { "storageclass.kubernetes.io/is-default-class": "true" };
  await create({ ...storageClass(), metadata: { name: "fast", annotations } });
  expect((await claims()).map(([name, phase]) => [name, phase])).toEqual([
    ["data", "Bound"],
    ["none", "Pending"],
  ]);
  expect((await get("PersistentVolumeClaim", "data"))["spec"]).toMatchObject({ storageClassName: "fast" });
});

test("a volume that is reserved for a claim of another mode says so", async () => {
  await create(claim("data"));
  const { uid = "" } = (await get("PersistentVolumeClaim", "data")).metadata;
  const claimRef = { namespace: "default", name: "data", uid };
  await create(volume("disk", "5Gi", { volumeMode: "Block", claimRef }));
  expect(await w.events("PersistentVolume")).toEqual([
    'VolumeMismatch: Cannot bind PersistentVolume to requested PersistentVolumeClaim "data" due to incompatible volumeMode.',
  ]);
  expect(await w.events("PersistentVolumeClaim")).toContain(
    'VolumeMismatch: Cannot bind PersistentVolume "disk" to requested PersistentVolumeClaim due to incompatible volumeMode.',
  );
});

test("a claim gets a volume of its class of attributes, and says which it has, since 1.34", async () => {
  await w.cluster.close();
  w = new Workloads({ release: "1.34" });
  const gold = { volumeAttributesClassName: "gold" };
  const csi = { driver: "example.com", volumeHandle: "golden" };
  await create(volume("plain", "2Gi"), volume("golden", "5Gi", { ...gold, hostPath: null, csi }));
  await create(claim("data", gold));
  await create(claim("other", { ...gold, volumeName: "plain" }));
  expect(await claims()).toEqual([
    ["data", "Bound", "golden"],
    ["other", "Pending", "plain"],
  ]);
  expect(await w.events("PersistentVolumeClaim")).toContain(
    'VolumeMismatch: Cannot bind to requested volume "plain": volumeAttributesClassName does not match',
  );
  const status = async (name: string) => (await get("PersistentVolumeClaim", name))["status"];
  expect(await status("data")).toMatchObject({ currentVolumeAttributesClassName: "gold" });
  await create(storageClass(), claim("new", { ...gold, storageClassName: "fast" }));
  expect(await status("new")).toMatchObject({ phase: "Bound", currentVolumeAttributesClassName: "gold" });
});

test("only the scheduler binds existing volumes to claims that wait for their pod", async () => {
  await create(storageClass({ volumeBindingMode: "WaitForFirstConsumer" }));
  await create(volume("a", "2Gi", { storageClassName: "fast" }), claim("data", { storageClassName: "fast" }));
  const annotations = { "volume.kubernetes.io/selected-node": "node-1" };
  await w.cluster.patch("v1", "PersistentVolumeClaim", "data", { metadata: { annotations } });
  const { uid = "" } = (await get("PersistentVolumeClaim", "data")).metadata;
  expect(await claims()).toEqual([["data", "Bound", `pvc-${uid}`]]);
  expect(await phases()).toContainEqual(["a", "Available"]);
});

test("a claim whose volume is deleted is lost", async () => {
  await create(volume("a", "2Gi"), claim("data"));
  await w.cluster.patch("v1", "PersistentVolume", "a", { metadata: { finalizers: null } });
  await w.cluster.delete("v1", "PersistentVolume", "a");
  await w.cluster.patch("v1", "PersistentVolume", "a", { metadata: { finalizers: null } }).catch(() => {});
  expect(await claims()).toEqual([["data", "Lost", "a"]]);
  expect(await w.events("PersistentVolumeClaim")).toEqual([
    "ClaimLost: Bound claim has lost its PersistentVolume. Data on the volume is lost!",
  ]);
});

test("a claim that waits for its first consumer is bound on the node of the pod", async () => {
  await using cluster = createCluster({ seed: 1, simulate: true });
  await cluster.create(storageClass({ volumeBindingMode: "WaitForFirstConsumer" }));
  await cluster.create(claim("data", { storageClassName: "fast" }));
  await cluster.settle();
  const phase = async () => (await cluster.get("v1", "PersistentVolumeClaim", "data")).status?.phase;
  expect(await phase()).toBe("Pending");
  const { items } = await cluster.list("v1", "Event", { namespace: "default" });
  expect(items.filter(({ involvedObject }) => involvedObject.name === "data")).toMatchObject([
    {
      reason: "WaitForFirstConsumer",
      message: "waiting for first consumer to be created before binding",
      source: { component: "persistentvolume-controller" },
    },
  ]);
  await cluster.create({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "web" },
    spec: {
      containers: [{ name: "main", image: "i" }],
      volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }],
    },
  });
  await cluster.settle();
  expect(await phase()).toBe("Bound");
  expect((await cluster.get("v1", "Pod", "web")).status?.phase).toBe("Running");
});

describe("a claim that waits for the node of its pod", () => {
  const local = { provisioner: "kubernetes.io/no-provisioner", volumeBindingMode: "WaitForFirstConsumer" };
  const onNode = (name: string) => ({
    required: {
      nodeSelectorTerms: [
        { matchExpressions: [{ key: "kubernetes.io/hostname", operator: "In", values: [name] }] },
      ],
    },
  });
  const localVolume = (name: string, node: string) =>
    volume(name, "5Gi", { storageClassName: "fast", nodeAffinity: onNode(node) });
  const consumer = (spec: JsonObject = {}) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "web" },
    spec: {
      containers: [{ name: "main", image: "i" }],
      volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }],
      ...spec,
    },
  });
  const simulated = async (...objects: readonly JsonObject[]) => {
    const cluster = createCluster({ seed: 1, simulate: true });
    for (const object of objects) await cluster.create(object);
    await cluster.settle();
    return cluster;
  };
  const scheduledBy = async (cluster: Cluster) => {
    const { status } = await cluster.get("v1", "Pod", "web");
    return status?.conditions?.find(({ type }) => type === "PodScheduled")?.message;
  };
  const waiting = claim("data", { storageClassName: "fast" });

  test("takes a volume that this node reaches, and leads the pod there", async () => {
    await using cluster = await simulated(
      storageClass(local),
      waiting,
      localVolume("disk", "node-2"),
      consumer(),
    );
    expect((await cluster.get("v1", "Pod", "web")).spec?.nodeName).toBe("node-2");
    const { metadata, spec } = await cluster.get("v1", "PersistentVolume", "disk");
    expect(spec?.claimRef).toMatchObject({ namespace: "default", name: "data" });
    expect(metadata.annotations).toEqual({ "pv.kubernetes.io/bound-by-controller": "yes" });
    const bound = await cluster.get("v1", "PersistentVolumeClaim", "data");
    expect(bound.status?.phase).toBe("Bound");
    expect(bound.metadata.annotations).not.toHaveProperty(["volume.kubernetes.io/selected-node"]);
  });

  test("has none if its pod may not go where the volumes are, until one comes", async () => {
    const nodeSelector = { "kubernetes.io/hostname": "node-1" };
    const objects = [storageClass(local), waiting, localVolume("disk", "node-2"), consumer({ nodeSelector })];
    await using cluster = await simulated(...objects);
    expect(await scheduledBy(cluster)).toBe(
      "0/3 nodes are available: 1 node(s) didn't find available persistent volumes to bind, 2 node(s) didn't match Pod's node affinity/selector. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
    );
    await cluster.create(localVolume("near", "node-1"));
    await cluster.settle();
    expect((await cluster.get("v1", "Pod", "web")).spec?.nodeName).toBe("node-1");
  });

  test("gets a new volume only in the topologies of its class", async () => {
    const allowedTopologies = [
      { matchLabelExpressions: [{ key: "kubernetes.io/hostname", values: ["node-3"] }] },
    ];
    const fields = { volumeBindingMode: "WaitForFirstConsumer", allowedTopologies };
    await using cluster = await simulated(storageClass(fields), waiting, consumer());
    const { metadata, status } = await cluster.get("v1", "PersistentVolumeClaim", "data");
    expect(metadata.annotations?.["volume.kubernetes.io/selected-node"]).toBe("node-3");
    expect(status?.phase).toBe("Bound");
    expect((await cluster.get("v1", "Pod", "web")).spec?.nodeName).toBe("node-3");
  });

  test("says for which pods it waits", async () => {
    await create(storageClass(local), consumer(), waiting);
    expect(await w.events("PersistentVolumeClaim")).toEqual([
      "WaitForPodScheduled: waiting for pod web to be scheduled",
    ]);
  });
});

test.each([
  ["1.32", "node(s) had volume node affinity conflict"],
  ["1.33", "node(s) didn't match PersistentVolume's node affinity"],
] as const)("in %s, a pod does not go where its volume is not: %s", async (release, reason) => {
  await using cluster = createCluster({ seed: 1, simulate: true, release });
  const values = ["elsewhere"];
  const terms = [{ matchExpressions: [{ key: "kubernetes.io/hostname", operator: "In", values }] }];
  await cluster.create(volume("disk", "5Gi", { nodeAffinity: { required: { nodeSelectorTerms: terms } } }));
  await cluster.create(claim("data"));
  await cluster.create({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "web" },
    spec: {
      containers: [{ name: "main", image: "i" }],
      volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }],
    },
  });
  await cluster.settle();
  const { status } = await cluster.get("v1", "Pod", "web");
  const message = status?.conditions?.find(({ type }) => type === "PodScheduled")?.message;
  expect(message).toMatch(`0/3 nodes are available: 3 ${reason}. preemption: `);
});
