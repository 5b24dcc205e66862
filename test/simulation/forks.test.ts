import { expect, test } from "vitest";
import { type Cluster, createCluster, type JsonObject, type KubeObject } from "../../src/index.ts";
import { completes } from "../../src/scenario/presets.ts";

/** How many microtasks lie between two forks. */
const distance = 23;

const template = (app: string, image = "nginx:1", more: object = {}) => ({
  metadata: { labels: { app } },
  spec: { containers: [{ name: "main", image, resources: { requests: { cpu: "600m" } } }], ...more },
});
const workload = (kind: string, spec: object) => ({
  apiVersion: "apps/v1",
  kind,
  metadata: { name: "web" },
  spec: { selector: { matchLabels: { app: "web" } }, template: template("web"), ...spec },
});
const claimSpec = {
  accessModes: ["ReadWriteOnce"],
  storageClassName: "fast",
  resources: { requests: { storage: "1Gi" } },
};
const claim = {
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name: "data" },
  spec: claimSpec,
};
const stateful = workload("StatefulSet", {
  serviceName: "web",
  replicas: 2,
  volumeClaimTemplates: [{ metadata: { name: "data" }, spec: claimSpec }],
});
const work = {
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name: "work" },
  spec: { completions: 3, parallelism: 2, template: template("work", "task:1", { restartPolicy: "Never" }) },
};
const pod = (name: string, namespace: string, more: object = {}) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, namespace },
  spec: { ...template("web").spec, nodeName: "small", ...more },
});
const important = {
  apiVersion: "scheduling.k8s.io/v1",
  kind: "PriorityClass",
  metadata: { name: "important" },
  value: 1000,
};

const create =
  (...objects: readonly object[]) =>
  async (cluster: Cluster): Promise<void> => {
    for (const object of objects) await cluster.create(object);
  };
const update = (kind: string, spec: JsonObject) => (cluster: Cluster) =>
  cluster.patch("apps/v1", kind, "web", { spec });
const roll = (kind: string) => update(kind, { template: template("web", "nginx:2") });

interface Story {
  readonly before?: (cluster: Cluster) => Promise<unknown>;
  readonly change: (cluster: Cluster) => Promise<unknown>;
}

const stories: { readonly [what: string]: Story } = {
  "a Deployment is created": { change: create(workload("Deployment", { replicas: 3 })) },
  "a Deployment is rolled out": {
    before: create(workload("Deployment", { replicas: 2 })),
    change: roll("Deployment"),
  },
  "a Deployment is deleted": {
    before: create(workload("Deployment", { replicas: 2 })),
    change: (cluster) => cluster.delete("apps/v1", "Deployment", "web", { propagationPolicy: "Foreground" }),
  },
  "a StatefulSet is created": { change: create(stateful) },
  "a StatefulSet is rolled out": { before: create(stateful), change: roll("StatefulSet") },
  "a StatefulSet is scaled": { before: create(stateful), change: update("StatefulSet", { replicas: 1 }) },
  "a DaemonSet is rolled out": { before: create(workload("DaemonSet", {})), change: roll("DaemonSet") },
  "a Job runs": { change: create(work) },
  "a claim is bound": { change: create(claim) },
  "a claim is deleted": {
    before: create(claim),
    change: (cluster) => cluster.delete("v1", "PersistentVolumeClaim", "data"),
  },
  "a node gets a taint": {
    before: create(workload("Deployment", { replicas: 3 })),
    change: (cluster) =>
      cluster.patch("v1", "Node", "node-1", { spec: { taints: [{ key: "a", effect: "NoExecute" }] } }),
  },
  "a pod takes the place of another one": {
    before: create(important, workload("Deployment", { replicas: 37 })),
    change: create(pod("top", "default", { nodeName: undefined, priorityClassName: "important" })),
  },
  "a critical pod comes to a full node": {
    before: create(pod("first", "default")),
    change: create(pod("critical", "kube-system", { priorityClassName: "system-node-critical" })),
  },
};

async function clusterFor({ before }: Story): Promise<Cluster> {
  const cluster = createCluster({ simulate: true, seed: 1 });
  cluster.pods.script({ image: /^task/ }, completes({ after: "5s" }));
  await cluster.addNode({ name: "small", capacity: { cpu: "1", memory: "1Gi", pods: "10" } });
  const provisioner = "disks.example.com";
  await create({
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata: { name: "fast" },
    provisioner,
  })(cluster);
  await before?.(cluster);
  await cluster.settle();
  return cluster;
}

const kinds: readonly (readonly [apiVersion: string, kind: string])[] = [
  ["v1", "Pod"],
  ["v1", "PersistentVolumeClaim"],
  ["v1", "PersistentVolume"],
  ["apps/v1", "ReplicaSet"],
  ["apps/v1", "Deployment"],
  ["apps/v1", "StatefulSet"],
  ["apps/v1", "DaemonSet"],
  ["batch/v1", "Job"],
];

/** What a cluster comes to, without the names and times that differ. */
async function outcome(cluster: Cluster): Promise<readonly unknown[]> {
  await cluster.settle();
  await cluster.clock.advance("5m");
  const lists = await Promise.all(
    kinds.map(async ([apiVersion, kind]) => (await cluster.list<KubeObject>(apiVersion, kind)).items),
  );
  const objects = lists.flat();
  return objects.map(summary).toSorted();
}

function summary({ kind, metadata, spec, status }: KubeObject): string {
  const { ownerReferences = [], name, deletionTimestamp, finalizers = [] } = metadata;
  const { conditions = [], ...others } = (status ?? {}) as JsonObject & {
    readonly conditions?: readonly JsonObject[];
  };
  const counts = Object.entries(others).filter(
    ([key, value]) => key === "phase" || typeof value === "number",
  );
  return JSON.stringify([
    kind,
    ownerReferences.length > 0 || kind === "PersistentVolume" ? "" : name,
    (spec as { readonly containers?: readonly JsonObject[] }).containers?.map(({ image }) => image),
    counts,
    conditions.map(({ type, status: value }) => `${type} ${value}`).toSorted(),
    finalizers,
    deletionTimestamp === undefined,
  ]);
}

/** Does something, and forks the cluster again and again until its controllers have nothing left to do. */
async function forksWhile(cluster: Cluster, { change }: Story): Promise<readonly Cluster[]> {
  const forks: Cluster[] = [];
  let isOver = false;
  const done = change(cluster)
    .then(() => cluster.settle())
    .finally(() => {
      isOver = true;
    });
  for (let turn = 1; !isOver && turn < 20_000; turn++) {
    if (turn % distance === 0) forks.push(cluster.fork());
    await Promise.resolve();
  }
  await done;
  return forks;
}

test.each(Object.entries(stories))(
  "%s: a fork that is made meanwhile comes to the same",
  async (_, story) => {
    // What is loaded on demand is there when the forks are made.
    const first = await clusterFor(story);
    const untouched = await outcome(first.fork());
    await story.change(first);
    const expected = await outcome(first);
    const cluster = await clusterFor(story);
    const forks = await forksWhile(cluster, story);
    expect(forks.length).toBeGreaterThan(4);
    expect(await outcome(cluster)).toEqual(expected);
    let isDone = false;
    for (const fork of forks) {
      const found = await outcome(fork);
      // Until the change is written, a fork does not have it.
      isDone ||= JSON.stringify(found) !== JSON.stringify(untouched);
      expect(found).toEqual(isDone ? expected : untouched);
      await fork.close();
    }
    for (const one of [first, cluster]) await one.close();
  },
);
