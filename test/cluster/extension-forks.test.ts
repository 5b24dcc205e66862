import { expect, test } from "vitest";
import {
  type Cluster,
  type ClusterSnapshot,
  createCluster,
  type JsonObject,
  type KubeObject,
} from "../../src/index.ts";

/** How many microtasks lie between two forks. */
const distance = 11;

const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
const definitionKind = ["apiextensions.k8s.io/v1", "CustomResourceDefinition"] as const;
const widgetKind = ["example.com/v1", "Widget"] as const;
const version = (name: string, more: JsonObject = {}) => ({
  name,
  served: true,
  storage: false,
  schema,
  ...more,
});
const stored = version("v1", { storage: true });

const definition = (plural: string, kind: string) => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${plural}.example.com` },
  spec: { group: "example.com", scope: "Namespaced", names: { plural, kind }, versions: [stored] },
});
const widget = (name: string, namespace = "default", metadata: object = {}) => ({
  apiVersion: "example.com/v1",
  kind: "Widget",
  metadata: { name, namespace, ...metadata },
});
const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } };
const quota = {
  apiVersion: "v1",
  kind: "ResourceQuota",
  metadata: { name: "few" },
  spec: { hard: { "count/widgets.example.com": "5" } },
};
const held = { finalizers: ["example.com/hold"] };

async function create(cluster: Cluster, ...objects: readonly object[]): Promise<void> {
  for (const object of objects) await cluster.create(object);
}

/** An owner, a custom resource and a built-in object that it owns. */
async function createFamily(cluster: Cluster): Promise<void> {
  const { metadata } = await cluster.create<KubeObject>(widget("owner"));
  const owner = { apiVersion: "example.com/v1", kind: "Widget", name: "owner", uid: metadata.uid };
  const ownerReferences = [{ ...owner, blockOwnerDeletion: true }];
  const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "dependent", ownerReferences } };
  await create(cluster, widget("dependent", "default", { ownerReferences }), configMap);
}

interface Story {
  readonly before?: (cluster: Cluster) => Promise<unknown>;
  readonly change: (cluster: Cluster) => Promise<unknown>;
}

const remove = (cluster: Cluster) => cluster.delete(...definitionKind, "widgets.example.com");

const stories: { readonly [what: string]: Story } = {
  "a definition is created": { change: (cluster) => cluster.create(definition("gadgets", "Gadget")) },
  "a definition takes a name that becomes free": {
    before: (cluster) => cluster.create(definition("copies", "Widget")),
    change: remove,
  },
  "a definition gets other versions": {
    before: (cluster) => cluster.create(widget("a")),
    change: (cluster) =>
      cluster.patch(...definitionKind, "widgets.example.com", {
        spec: {
          versions: [version("v1"), version("v2", { storage: true }), version("v3", { served: false })],
        },
      }),
  },
  "a definition is deleted": {
    before: (cluster) => create(cluster, namespace, widget("a"), widget("b", "shop"), quota),
    change: remove,
  },
  "a definition is deleted, and an instance stays": {
    before: (cluster) => create(cluster, widget("a", "default", held), widget("b")),
    change: remove,
  },
  "a namespace with custom resources is deleted": {
    before: (cluster) => create(cluster, namespace, widget("a", "shop"), widget("b", "shop", held)),
    change: (cluster) => cluster.delete("v1", "Namespace", "shop"),
  },
  "a namespace and its definition are deleted": {
    before: (cluster) => create(cluster, namespace, widget("a", "shop"), widget("b", "shop", held)),
    change: async (cluster) => {
      await cluster.delete("v1", "Namespace", "shop");
      await remove(cluster);
    },
  },
  "an owner is deleted in the foreground": {
    before: createFamily,
    change: (cluster) => cluster.delete(...widgetKind, "owner", { propagationPolicy: "Foreground" }),
  },
  "an owner leaves its dependents": {
    before: createFamily,
    change: (cluster) => cluster.delete(...widgetKind, "owner", { propagationPolicy: "Orphan" }),
  },
  "a quota counts custom resources": {
    before: (cluster) => create(cluster, widget("a"), widget("b")),
    change: (cluster) => cluster.create(quota),
  },
};

async function clusterFor({ before }: Story): Promise<Cluster> {
  const cluster = createCluster({ seed: 1 });
  await cluster.create(definition("widgets", "Widget"));
  await cluster.settle();
  await before?.(cluster);
  await cluster.settle();
  return cluster;
}

const kinds: readonly (readonly [apiVersion: string, kind: string])[] = [
  definitionKind,
  widgetKind,
  ["example.com/v2", "Widget"],
  ["example.com/v1", "Gadget"],
  ["v1", "Namespace"],
  ["v1", "ConfigMap"],
  ["v1", "ResourceQuota"],
];

/** What a cluster comes to, without uids, times and revisions. */
async function outcome(cluster: Cluster): Promise<unknown> {
  await cluster.settle();
  await cluster.clock.advance("1m");
  await cluster.settle();
  const lists = await Promise.all(
    kinds.map((kind) => cluster.list<KubeObject>(...kind).then(({ items }) => items, String)),
  );
  const varies = new Set(["uid", "resourceVersion", "time", "lastTransitionTime", "deletionTimestamp"]);
  return JSON.parse(JSON.stringify(lists, (key, value) => (varies.has(key) ? undefined : value)));
}

/** Does something, and forks the cluster again and again until its controllers have nothing left to do. */
async function forksWhile(cluster: Cluster, { change }: Story): Promise<readonly Cluster[]> {
  const forks: Cluster[] = [];
  let isOver = false;
  const done = change(cluster)
    .then(() => {
      // From now on, a fork has the change.
      forks.length = 0;
      return cluster.settle();
    })
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
    await story.change(first);
    const expected = await outcome(first);
    const cluster = await clusterFor(story);
    const forks = await forksWhile(cluster, story);
    expect(forks.length).toBeGreaterThan(2);
    expect(await outcome(cluster)).toEqual(expected);
    for (const fork of forks) {
      expect(await outcome(fork)).toEqual(expected);
      await fork.close();
    }
    for (const one of [first, cluster]) await one.close();
  },
);

test("a cluster that has no definitions yet goes on from a snapshot with custom resources", async () => {
  const story = stories["a namespace with custom resources is deleted"] as Story;
  const origin = await clusterFor(story);
  const snapshots: ClusterSnapshot[] = [];
  await story.change(origin);
  for (let turn = 0; turn < 100; turn++) {
    if (turn % distance === 0) snapshots.push(origin.snapshot());
    await Promise.resolve();
  }
  const expected = await outcome(origin);
  for (const snapshot of snapshots) {
    const cluster = createCluster({ seed: 1 });
    await cluster.settle();
    cluster.restore(snapshot);
    expect(await outcome(cluster)).toEqual(expected);
    await cluster.close();
  }
  await origin.close();
});
