import fc from "fast-check";
import type { Cluster, KubeObject } from "../../src/index.ts";
import { nodeLost, running } from "../../src/scenario/presets.ts";

/** What a user does to a cluster; what cannot be done at present is refused. */
export type Operation = (cluster: Cluster) => Promise<unknown>;

export const named = (prefix: string, count: number) => fc.nat(count - 1).map((i) => `${prefix}-${i}`);
const app = named("web", 3);
const database = named("db", 2);
const image = fc.constantFrom("nginx:1", "nginx:2");
const propagationPolicy = fc.constantFrom("Foreground", "Background", "Orphan");

export const template = (name: string, container: string) => ({
  metadata: { labels: { app: name } },
  spec: { containers: [{ name: "main", image: container }] },
});

export const deployment = (
  name: string,
  replicas: number,
  container = "nginx:1",
  type = "RollingUpdate",
) => ({
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
const keep = fc.tuple(database, fc.nat(4), fc.constantFrom("OrderedReady", "Parallel")).map(
  ([name, replicas, podManagementPolicy]): Operation =>
    (cluster) =>
      cluster.create({
        apiVersion: "apps/v1",
        kind: "StatefulSet",
        metadata: { name },
        spec: {
          serviceName: name,
          replicas,
          podManagementPolicy,
          selector: { matchLabels: { app: name } },
          template: template(name, "nginx:1"),
          volumeClaimTemplates: [
            {
              metadata: { name: "data" },
              spec: {
                storageClassName: "fast",
                accessModes: ["ReadWriteOnce"],
                resources: { requests: { storage: "1Gi" } },
              },
            },
          ],
        },
      }),
);
const scaleSet = fc.tuple(database, fc.nat(5)).map(
  ([name, replicas]): Operation =>
    (cluster) =>
      cluster.patch("apps/v1", "StatefulSet", name, { spec: { replicas } }),
);
const rollSet = fc.tuple(database, image).map(
  ([name, container]): Operation =>
    (cluster) =>
      cluster.patch("apps/v1", "StatefulSet", name, { spec: { template: template(name, container) } }),
);
const removeSet = fc.tuple(database, propagationPolicy).map(
  ([name, policy]): Operation =>
    (cluster) =>
      cluster.delete("apps/v1", "StatefulSet", name, { propagationPolicy: policy }),
);

/** Some end well, and some do not. */
const jobSpec = fc
  .record({
    parallelism: fc.integer({ min: 1, max: 3 }),
    completions: fc.integer({ min: 1, max: 4 }),
    completionMode: fc.constantFrom("NonIndexed", "Indexed"),
    backoffLimit: fc.nat(2),
    container: fc.constantFrom("task:1", "task:1", "broken:1"),
    restartPolicy: fc.constantFrom("Never", "OnFailure"),
  })
  .map(({ container, restartPolicy, ...spec }) => {
    const { metadata, spec: pod } = template("job", container);
    return { ...spec, template: { metadata, spec: { ...pod, restartPolicy } } };
  });
const work = fc.tuple(named("job", 3), jobSpec).map(
  ([name, spec]): Operation =>
    (cluster) =>
      cluster.create({ apiVersion: "batch/v1", kind: "Job", metadata: { name }, spec }),
);
const suspend = fc.tuple(named("job", 3), fc.boolean()).map(
  ([name, isSuspended]): Operation =>
    (cluster) =>
      cluster.patch("batch/v1", "Job", name, { spec: { suspend: isSuspended } }),
);
const repeat = jobSpec.map(
  (spec): Operation =>
    (cluster) =>
      cluster.create({
        apiVersion: "batch/v1",
        kind: "CronJob",
        metadata: { name: "report" },
        spec: { schedule: "* * * * *", concurrencyPolicy: "Replace", jobTemplate: { spec } },
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
export function toSome(kind: "Pod" | "Node", act: (cluster: Cluster, name: string) => Promise<unknown>) {
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
const disconnect = fc.constantFrom("10s", "2m", "7m").chain((duration) =>
  toSome("Node", async (cluster, node) => {
    const script = cluster.pods.script({ node }, nodeLost());
    await cluster.clock.advance(duration);
    script.remove();
  }),
);
/** Scripts come and go while kubelets work. */
const interrupt = fc.nat(300).map(
  (turns): Operation =>
    async (cluster) => {
      const script = cluster.pods.script({ image: /^task/ }, running());
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      script.remove();
    },
);
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
export const workloadOperation = fc.oneof(
  ...[deploy, deploy, scale, scale, roll, remove, spread, expose],
  ...[keep, keep, scaleSet, rollSet, removeSet, work, work, suspend, repeat, disconnect, interrupt],
  ...[evict, evict, evict, evict, kill, release, loseNode, cordon, addNode, wait, settle, settle, settle],
);
