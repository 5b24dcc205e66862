import { describe, expect, test } from "vitest";
import {
  type Cluster,
  type ClusterOptions,
  createCluster,
  type JsonObject,
  type KubeObject,
} from "../../src/index.ts";

const capacity = { cpu: "4", memory: "8Gi", pods: "10" };
const hostname = "kubernetes.io/hostname";
const zone = "topology.kubernetes.io/zone";

/** A cluster whose scheduler runs, with the nodes a and b in zones of their names. Its clock stands, and no kubelet does anything. */
async function clusterOf(
  release = "1.33",
  featureGates: ClusterOptions["featureGates"] = {},
): Promise<Cluster> {
  const cluster = createCluster({ seed: 1, simulate: ["scheduler"], release, featureGates });
  for (const name of ["a", "b"]) {
    await cluster.addNode({ name, labels: { [hostname]: name, [zone]: name }, capacity });
    await cluster.patch("v1", "Node", name, { spec: { taints: [] } });
  }
  return cluster;
}

function pod(name: string, volumes: readonly JsonObject[], spec: JsonObject = {}): JsonObject {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name },
    spec: {
      containers: [{ name: "web", image: "nginx" }],
      volumes: volumes.map((volume, at) => ({ name: `v${at}`, ...volume })),
      ...spec,
    },
  };
}

const claimed = (claimName: string) => ({ persistentVolumeClaim: { claimName } });
const on = (node: string) => ({ nodeSelector: { [hostname]: node } });

/** A claim that is bound to a volume of its name. */
function bound(name: string, accessMode: string): JsonObject {
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name, annotations: { "pv.kubernetes.io/bind-completed": "yes" } },
    spec: {
      accessModes: [accessMode],
      resources: { requests: { storage: "1Gi" } },
      storageClassName: "",
      volumeName: name,
    },
  };
}

const volume = (name: string, accessMode: string, labels: JsonObject = {}): JsonObject => ({
  apiVersion: "v1",
  kind: "PersistentVolume",
  metadata: { name, labels },
  spec: { capacity: { storage: "1Gi" }, accessModes: [accessMode], hostPath: { path: "/data" } },
});

/** Where the pod is after the scheduler has looked, or why it is nowhere. */
async function placed(cluster: Cluster, ...objects: readonly JsonObject[]): Promise<string | undefined> {
  for (const object of objects) await cluster.create(object);
  await cluster.settle();
  const { name = "" } = (objects.at(-1) as KubeObject).metadata;
  const { spec, status } = await cluster.get("v1", "Pod", name);
  const [condition] = status?.conditions ?? [];
  return spec?.nodeName ?? condition?.message;
}

const noVictims = "No preemption victims found for incoming pod";
const noHelp = "Preemption is not helpful for scheduling";
const inUse = "node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode";

describe("a claim with the mode ReadWriteOncePod", () => {
  const mode = "ReadWriteOncePod";

  test.each([
    ["1.33", {}, `0/2 nodes are available: 2 ${inUse}. preemption: 0/2 nodes are available: 2 ${noVictims}.`],
    [
      "1.26",
      { ReadWriteOncePod: true },
      `0/2 nodes are available: ${inUse}. preemption: 0/2 nodes are available: 2 ${noHelp}.`,
    ],
  ])("is for one pod at a time in %s, for which another waits", async (release, featureGates, message) => {
    await using cluster = await clusterOf(release, featureGates);
    const first = await placed(
      cluster,
      volume("data", mode),
      bound("data", mode),
      pod("x", [claimed("data")]),
    );
    expect(first).toMatch(/^[ab]$/);
    expect(await placed(cluster, pod("y", [claimed("data")]))).toBe(message);
    await cluster.delete("v1", "Pod", "x", { gracePeriodSeconds: 0 });
    await cluster.settle();
    expect((await cluster.get("v1", "Pod", "y")).spec?.nodeName).toMatch(/^[ab]$/);
  });

  test("goes to a pod of higher priority, whose node is that of the other", async () => {
    await using cluster = await clusterOf();
    await cluster.create({
      apiVersion: "scheduling.k8s.io/v1",
      kind: "PriorityClass",
      metadata: { name: "high" },
      value: 1000,
    });
    const node = await placed(
      cluster,
      volume("data", mode),
      bound("data", mode),
      pod("x", [claimed("data")]),
    );
    await placed(cluster, pod("y", [claimed("data")], { priorityClassName: "high" }));
    const [x, y] = [await cluster.get("v1", "Pod", "x"), await cluster.get("v1", "Pod", "y")];
    expect(x.metadata?.deletionTimestamp).toBeDefined();
    expect(y.status?.nominatedNodeName).toBe(node);
  });

  test("is another one in another namespace, and any number of pods use other modes", async () => {
    await using cluster = await clusterOf();
    const shared = "ReadWriteOnce";
    await placed(cluster, volume("data", shared), bound("data", shared), pod("x", [claimed("data")]));
    expect(await placed(cluster, pod("y", [claimed("data")]))).toMatch(/^[ab]$/);
  });
});

test.each<readonly [string, JsonObject, JsonObject, boolean]>([
  ["a GCE disk", { gcePersistentDisk: { pdName: "d" } }, { gcePersistentDisk: { pdName: "d" } }, true],
  ["another GCE disk", { gcePersistentDisk: { pdName: "d" } }, { gcePersistentDisk: { pdName: "e" } }, false],
  [
    "a GCE disk that both only read",
    { gcePersistentDisk: { pdName: "d", readOnly: true } },
    { gcePersistentDisk: { pdName: "d", readOnly: true } },
    false,
  ],
  [
    "a GCE disk that one only reads",
    { gcePersistentDisk: { pdName: "d", readOnly: true } },
    { gcePersistentDisk: { pdName: "d" } },
    true,
  ],
  [
    "an EBS volume that both only read",
    { awsElasticBlockStore: { volumeID: "d", readOnly: true } },
    { awsElasticBlockStore: { volumeID: "d", readOnly: true } },
    true,
  ],
  [
    "an iSCSI name at two portals",
    { iscsi: { targetPortal: "1.2.3.4", iqn: "iqn.2026-01.x:d", lun: 0 } },
    { iscsi: { targetPortal: "1.2.3.5", iqn: "iqn.2026-01.x:d", lun: 1 } },
    true,
  ],
  [
    "an image with a common monitor",
    { rbd: { monitors: ["m", "n"], image: "i" } },
    { rbd: { monitors: ["n", "o"], image: "i" } },
    true,
  ],
  [
    "an image without a common monitor",
    { rbd: { monitors: ["m"], image: "i" } },
    { rbd: { monitors: ["o"], image: "i" } },
    false,
  ],
  ["a disk of another type", { gcePersistentDisk: { pdName: "d" } }, { hostPath: { path: "/d" } }, false],
])("two pods and %s", async (_title, first, second, isConflict) => {
  await using cluster = await clusterOf();
  await placed(cluster, pod("x", [first], on("a")));
  const disk = "1 node(s) had no available disk";
  const selector = "1 node(s) didn't match Pod's node affinity/selector";
  expect(await placed(cluster, pod("y", [second], on("a")))).toBe(
    isConflict
      ? `0/2 nodes are available: ${selector}, ${disk}. preemption: 0/2 nodes are available: 1 ${noVictims}, 1 ${noHelp}.`
      : "a",
  );
});

describe("a node with a limit of volumes", () => {
  const driver = (name: string, count?: number) => ({
    name,
    nodeID: "n",
    topologyKeys: null,
    ...(count !== undefined && { allocatable: { count } }),
  });
  const limited = (name: string, ...drivers: readonly JsonObject[]) => ({
    apiVersion: "storage.k8s.io/v1",
    kind: "CSINode",
    metadata: { name },
    spec: { drivers },
  });
  const disk = (name: string, from = "disks.example.com"): JsonObject => ({
    ...volume(name, "ReadWriteOnce"),
    spec: {
      capacity: { storage: "1Gi" },
      accessModes: ["ReadWriteOnce"],
      csi: { driver: from, volumeHandle: name },
    },
  });
  const full = "node(s) exceed max volume count";
  const onA = on("a");

  async function limitedCluster(): Promise<Cluster> {
    const cluster = await clusterOf();
    await cluster.create(limited("a", driver("disks.example.com", 2), driver("other.example.com")));
    for (const name of ["one", "two", "three"])
      await placed(cluster, bound(name, "ReadWriteOnce"), disk(name), pod(name, []));
    return cluster;
  }

  test("takes no more of them, and counts those that pods share once", async () => {
    await using cluster = await limitedCluster();
    const both = [claimed("one"), claimed("two")];
    expect(await placed(cluster, pod("first", both, onA))).toBe("a");
    expect(await placed(cluster, pod("shared", [claimed("one")], onA))).toBe("a");
    expect(await placed(cluster, pod("more", [claimed("three")], onA))).toContain(`1 ${full}`);
    expect(await placed(cluster, pod("elsewhere", [claimed("three")]))).toBe("b");
    await cluster.delete("v1", "Pod", "first", { gracePeriodSeconds: 0 });
    await cluster.settle();
    expect((await cluster.get("v1", "Pod", "more")).spec?.nodeName).toBe("a");
  });

  test("takes any number of other drivers, and more when its limit grows", async () => {
    await using cluster = await limitedCluster();
    await placed(cluster, pod("first", [claimed("one"), claimed("two")], onA));
    for (const name of ["x", "y", "z"])
      await placed(cluster, bound(name, "ReadWriteOnce"), disk(name, "other.example.com"), pod(name, []));
    const others = ["x", "y", "z"].map(claimed);
    expect(await placed(cluster, pod("others", others, onA))).toBe("a");
    expect(await placed(cluster, pod("more", [claimed("three")], onA))).toContain(full);
    await cluster.delete("storage.k8s.io/v1", "CSINode", "a");
    await cluster.create(limited("a", driver("disks.example.com", 3)));
    await cluster.settle();
    expect((await cluster.get("v1", "Pod", "more")).spec?.nodeName).toBe("a");
  });

  test("counts volumes that will be provisioned", async () => {
    await using cluster = await limitedCluster();
    await cluster.create({
      apiVersion: "storage.k8s.io/v1",
      kind: "StorageClass",
      metadata: { name: "disks" },
      provisioner: "disks.example.com",
      volumeBindingMode: "WaitForFirstConsumer",
    });
    await placed(cluster, pod("first", [claimed("one"), claimed("two")], onA));
    const waiting = {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name: "new" },
      spec: {
        accessModes: ["ReadWriteOnce"],
        resources: { requests: { storage: "1Gi" } },
        storageClassName: "disks",
      },
    };
    expect(await placed(cluster, waiting, pod("more", [claimed("new")], onA))).toContain(full);
  });
});

describe("a volume with a zone", () => {
  const mode = "ReadWriteOnce";
  const selector = "1 node(s) didn't match Pod's node affinity/selector";
  const noZone = `0/2 nodes are available: ${selector}, 1 node(s) had no available volume zone. preemption: 0/2 nodes are available: 2 ${noHelp}.`;

  test.each([
    ["of the node", { [zone]: "b" }, "b"],
    ["of another node", { [zone]: "a" }, noZone],
    ["among several", { [zone]: "a__b" }, "b"],
    ["of the node, under the old name", { "failure-domain.beta.kubernetes.io/zone": "b" }, "b"],
    ["of another node, under the old name", { "failure-domain.beta.kubernetes.io/zone": "a" }, noZone],
    [
      "and a region that the node does not have",
      { [zone]: "b", "topology.kubernetes.io/region": "r" },
      noZone,
    ],
    ["that is empty", { [zone]: "" }, "b"],
  ])("%s", async (_title, labels, expected) => {
    await using cluster = await clusterOf();
    const objects = [volume("data", mode, labels), bound("data", mode)];
    expect(await placed(cluster, ...objects, pod("x", [claimed("data")], on("b")))).toBe(expected);
  });

  test("may be on any node without zones", async () => {
    await using cluster = await clusterOf();
    await cluster.patch("v1", "Node", "b", { metadata: { labels: { [zone]: null } } });
    const objects = [volume("data", mode, { [zone]: "a" }), bound("data", mode)];
    expect(await placed(cluster, ...objects, pod("x", [claimed("data")], on("b")))).toBe("b");
  });
});

test.each([
  ["1.33", 'persistentvolume "data" not found'],
  ["1.26", "2 node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)"],
])("a claim whose volume is gone keeps its pod waiting in %s", async (release, reason) => {
  await using cluster = await clusterOf(release);
  expect(await placed(cluster, bound("data", "ReadWriteOnce"), pod("x", [claimed("data")]))).toBe(
    `0/2 nodes are available: ${reason}. preemption: 0/2 nodes are available: 2 ${noHelp}.`,
  );
});

describe("a nomination", () => {
  const filling = (name: string, priorityClassName: string): JsonObject => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name },
    spec: {
      containers: [{ name: "web", image: "nginx", resources: { requests: { cpu: capacity.cpu } } }],
      priorityClassName,
      ...on("a"),
    },
  });

  async function withPriorities(): Promise<Cluster> {
    const cluster = await clusterOf();
    for (const [at, name] of ["low", "middle", "high"].entries()) {
      await cluster.create({
        apiVersion: "scheduling.k8s.io/v1",
        kind: "PriorityClass",
        metadata: { name },
        value: at + 1,
      });
    }
    return cluster;
  }

  const nominated = async (cluster: Cluster, name: string) =>
    (await cluster.get("v1", "Pod", name)).status?.nominatedNodeName;

  test("ends for a pod of lower priority when a more important one takes its node", async () => {
    await using cluster = await withPriorities();
    await placed(cluster, filling("x", "low"));
    await placed(cluster, filling("y", "middle"));
    expect(await nominated(cluster, "y")).toBe("a");
    // The pod that leaves has to be looked at once more, since it is on its way.
    await placed(cluster, filling("z", "high"));
    expect([await nominated(cluster, "y"), await nominated(cluster, "z")]).toEqual([undefined, "a"]);
    await cluster.delete("v1", "Pod", "x", { gracePeriodSeconds: 0 });
    await cluster.settle();
    expect((await cluster.get("v1", "Pod", "z")).spec?.nodeName).toBe("a");
    expect((await cluster.get("v1", "Pod", "y")).spec?.nodeName).toBeUndefined();
  });

  test("ends when no node can get room any longer", async () => {
    await using cluster = await withPriorities();
    await placed(cluster, filling("x", "low"));
    await placed(cluster, filling("y", "middle"));
    expect(await nominated(cluster, "y")).toBe("a");
    await cluster.patch("v1", "Node", "a", { metadata: { labels: { [hostname]: "other" } } });
    await cluster.delete("v1", "Pod", "x", { gracePeriodSeconds: 0 });
    await cluster.settle();
    expect(await nominated(cluster, "y")).toBeUndefined();
  });
});
