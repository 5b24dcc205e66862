import fc from "fast-check";
import { expect, test } from "vitest";
import { type Cluster, createCluster, type KubeObject, StatusError } from "../../src/index.ts";
import { problemsOf } from "./settled-cluster.ts";

/** What a user does to a cluster; what cannot be done at present is refused. */
type Operation = (cluster: Cluster) => Promise<unknown>;

const named = (prefix: string, count: number) => fc.nat(count - 1).map((i) => `${prefix}-${i}`);
const app = named("web", 3);
const image = fc.constantFrom("nginx:1", "nginx:2");
const propagationPolicy = fc.constantFrom("Foreground", "Background", "Orphan");

const template = (name: string, container: string) => ({
  metadata: { labels: { app: name } },
  spec: { containers: [{ name: "main", image: container }] },
});

const deployment = (name: string, replicas: number, container = "nginx:1", type = "RollingUpdate") => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    strategy: { type },
    template: template(name, container),
  },
});

const deploy = fc.tuple(app, fc.nat(5), image, fc.constantFrom("RollingUpdate", "Recreate")).map(
  (chosen): Operation =>
    (cluster) =>
      cluster.create(deployment(...chosen)),
);
const scale = fc.tuple(app, fc.nat(7)).map(
  ([name, replicas]): Operation =>
    (cluster) =>
      cluster.patch("apps/v1", "Deployment", name, { spec: { replicas } }),
);
const roll = fc.tuple(app, image).map(
  ([name, container]): Operation =>
    (cluster) =>
      cluster.patch("apps/v1", "Deployment", name, { spec: { template: template(name, container) } }),
);
const remove = fc.tuple(app, propagationPolicy).map(
  ([name, policy]): Operation =>
    (cluster) =>
      cluster.delete("apps/v1", "Deployment", name, { propagationPolicy: policy }),
);
const spread = image.map(
  (container): Operation =>
    (cluster) =>
      cluster.create({
        apiVersion: "apps/v1",
        kind: "DaemonSet",
        metadata: { name: "agent" },
        spec: { selector: { matchLabels: { app: "agent" } }, template: template("agent", container) },
      }),
);
const expose = app.map(
  (name): Operation =>
    (cluster) =>
      cluster.create({
        apiVersion: "v1",
        kind: "Service",
        metadata: { name },
        spec: { selector: { app: name }, ports: [{ port: 80 }] },
      }),
);

/** Does something to one of the objects of a kind. */
function toSome(kind: "Pod" | "Node", act: (cluster: Cluster, name: string) => Promise<unknown>) {
  return fc.nat().map(
    (choice): Operation =>
      async (cluster) => {
        const { items } = await cluster.list<KubeObject>("v1", kind);
        const { name = "" } = items[choice % items.length]?.metadata ?? {};
        if (items.length > 2) await act(cluster, name);
      },
  );
}

const evict = toSome("Pod", (cluster, name) =>
  cluster.create(
    { apiVersion: "policy/v1", kind: "Eviction", metadata: { name } },
    { subresource: "eviction" },
  ),
);
const kill = toSome("Pod", (cluster, name) => cluster.delete("v1", "Pod", name, { gracePeriodSeconds: 0 }));
const release = toSome("Pod", (cluster, name) =>
  cluster.patch("v1", "Pod", name, { metadata: { labels: { app: "none" } } }),
);
const loseNode = toSome("Node", (cluster, name) => cluster.delete("v1", "Node", name));
const cordon = fc
  .boolean()
  .chain((unschedulable) =>
    toSome("Node", (cluster, name) => cluster.patch("v1", "Node", name, { spec: { unschedulable } })),
  );
const addNode = named("extra", 2).map(
  (name): Operation =>
    (cluster) =>
      cluster.addNode({ name }),
);
const wait = fc.constantFrom("1s", "10s", "1m").map(
  (duration): Operation =>
    (cluster) =>
      cluster.clock.advance(duration),
);
const settle = fc.constant<Operation>((cluster) => cluster.settle());
const operation = fc.oneof(
  ...[deploy, deploy, scale, scale, roll, remove, spread, expose],
  ...[evict, evict, evict, evict, kill, release, loseNode, cordon, addNode, wait, settle, settle, settle],
);
const operations = fc.array(operation, { minLength: 10, maxLength: 40, size: "max" });
/** After how many operations a fork goes on, and how far its controllers have come by then. */
const forkAt = fc.record({ operations: fc.nat(40), turns: fc.nat(2000) });

async function attempt(cluster: Cluster, act: Operation): Promise<void> {
  await act(cluster).catch((error: unknown) => {
    if (!(error instanceof StatusError) || error.status.code === 500) throw error;
  });
}

/** Until every back-off, grace period and quarantine has ended. */
async function finish(cluster: Cluster): Promise<void> {
  for (let minute = 0; minute < 10; minute++) {
    await cluster.settle();
    await cluster.clock.advance("1m");
  }
  await cluster.settle();
}

test("whatever is done to a simulated cluster, it comes to what its objects say, and so do its forks", {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(operations, forkAt, async (all, { turns, ...fork }) => {
      let cluster = createCluster({ simulate: true, seed: 1 });
      for (const name of ["web-0", "web-1"]) await cluster.create(deployment(name, 3));
      await cluster.settle();
      for (const [i, act] of all.entries()) {
        await attempt(cluster, act);
        if (i !== fork.operations) continue;
        for (let turn = 0; turn < turns; turn++) await Promise.resolve();
        const forked = cluster.fork();
        await cluster.close();
        cluster = forked;
      }
      await finish(cluster);
      expect(await problemsOf(cluster)).toEqual([]);
      await cluster.close();
    }),
    { numRuns: 15, interruptAfterTimeLimit: 90_000 },
  );
});
