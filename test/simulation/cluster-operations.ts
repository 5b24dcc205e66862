import fc from "fast-check";
import type { Cluster } from "../../src/index.ts";
import {
  crashLoop,
  drainBlocked,
  evicted,
  imagePullBackOff,
  imageUnavailable,
  neverReady,
  nodeDown,
  podWebhookDown,
  quotaUsedUp,
  running,
  slowTermination,
  unhealthy,
} from "../../src/scenario/presets.ts";
import { named, type Operation, template, toSome } from "./workload-operations.ts";

const app = named("web", 3);
const set = named("set", 2);
const claimName = named("claim", 3);
const size = fc.constantFrom("1Gi", "2Gi");

const budget = fc
  .tuple(
    app,
    fc.constantFrom<object>(
      { minAvailable: 1 },
      { minAvailable: "50%" },
      { maxUnavailable: 1 },
      { maxUnavailable: 0 },
    ),
  )
  .map(
    ([name, limit]): Operation =>
      (cluster) =>
        cluster.create({
          apiVersion: "policy/v1",
          kind: "PodDisruptionBudget",
          metadata: { name },
          spec: { selector: { matchLabels: { app: name } }, ...limit },
        }),
  );
const removeBudget = app.map(
  (name): Operation =>
    (cluster) =>
      cluster.delete("policy/v1", "PodDisruptionBudget", name),
);
const replicate = fc.tuple(set, fc.nat(3), fc.boolean()).map(
  ([name, replicas, isOld]): Operation =>
    (cluster) =>
      cluster.create({
        apiVersion: isOld ? "v1" : "apps/v1",
        kind: isOld ? "ReplicationController" : "ReplicaSet",
        metadata: { name },
        spec: {
          replicas,
          selector: isOld ? { app: name } : { matchLabels: { app: name } },
          template: template(name, "nginx:1"),
        },
      }),
);
const scaleSet = fc.tuple(set, fc.nat(4)).map(
  ([name, replicas]): Operation =>
    (cluster) =>
      cluster.patch("apps/v1", "ReplicaSet", name, { spec: { replicas } }),
);
const removeSet = fc.tuple(set, fc.constantFrom("Foreground", "Background", "Orphan")).map(
  ([name, propagationPolicy]): Operation =>
    (cluster) =>
      cluster.delete("apps/v1", "ReplicaSet", name, { propagationPolicy }),
);
const adopt = fc
  .constantFrom("web-0", "web-1", "set-0", "db-0")
  .chain((name) =>
    toSome("Pod", (cluster, pod) => cluster.patch("v1", "Pod", pod, { metadata: { labels: { app: name } } })),
  );
const claim = fc.tuple(claimName, size, fc.constantFrom("fast", "later", "manual")).map(
  ([name, storage, storageClassName]): Operation =>
    (cluster) =>
      cluster.create({
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        metadata: { name },
        spec: { storageClassName, accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } },
      }),
);
const removeClaim = claimName.map(
  (name): Operation =>
    (cluster) =>
      cluster.delete("v1", "PersistentVolumeClaim", name),
);
const volume = fc.tuple(named("volume", 2), size, fc.constantFrom("Retain", "Delete", "Recycle")).map(
  ([name, storage, persistentVolumeReclaimPolicy]): Operation =>
    (cluster) =>
      cluster.create({
        apiVersion: "v1",
        kind: "PersistentVolume",
        metadata: { name },
        spec: {
          persistentVolumeReclaimPolicy,
          storageClassName: "manual",
          accessModes: ["ReadWriteOnce"],
          capacity: { storage },
          hostPath: { path: "/tmp/data" },
        },
      }),
);
const removeVolume = named("volume", 2).map(
  (name): Operation =>
    (cluster) =>
      cluster.delete("v1", "PersistentVolume", name),
);
const mount = fc.tuple(named("user", 2), claimName).map(
  ([name, claimName]): Operation =>
    (cluster) => {
      const { metadata, spec } = template(name, "nginx:1");
      const [container] = spec.containers;
      const volumeMounts = [{ name: "data", mountPath: "/data" }];
      return cluster.create({
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name, ...metadata },
        spec: {
          containers: [{ ...container, volumeMounts }],
          volumes: [{ name: "data", persistentVolumeClaim: { claimName } }],
        },
      });
    },
);
const large = fc.tuple(named("large", 4), fc.constantFrom("1", "3", "6")).map(
  ([name, cpu]): Operation =>
    (cluster) => {
      const { metadata, spec } = template(name, "nginx:1");
      const [container] = spec.containers;
      const containers = [{ ...container, resources: { requests: { cpu } } }];
      return cluster.create({
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name, ...metadata },
        spec: { priorityClassName: cpu === "6" ? "important" : undefined, containers },
      });
    },
);
const reselect = fc.tuple(app, app).map(
  ([name, selected]): Operation =>
    (cluster) =>
      cluster.patch("v1", "Service", name, { spec: { selector: { app: selected } } }),
);
const hide = app.map(
  (name): Operation =>
    (cluster) =>
      cluster.delete("v1", "Service", name),
);
const pause = fc.tuple(app, fc.boolean()).map(
  ([name, paused]): Operation =>
    (cluster) =>
      cluster.patch("apps/v1", "Deployment", name, { spec: { paused } }),
);
const resizeRollout = fc.tuple(app, fc.constantFrom("0", "50%", 2)).map(
  ([name, maxUnavailable]): Operation =>
    (cluster) =>
      cluster.patch("apps/v1", "Deployment", name, {
        spec: { strategy: { rollingUpdate: { maxUnavailable, maxSurge: 1 } } },
      }),
);
const taint = fc.constantFrom("NoSchedule", "NoExecute", "").chain((effect) =>
  toSome("Node", (cluster, name) =>
    cluster.patch("v1", "Node", name, {
      spec: { taints: effect === "" ? null : [{ key: "own", effect }] },
    }),
  ),
);
const finishJob = fc.tuple(named("job", 3), fc.integer({ min: 0, max: 3 })).map(
  ([name, parallelism]): Operation =>
    (cluster) =>
      cluster.patch("batch/v1", "Job", name, { spec: { parallelism } }),
);
const removeJob = fc.tuple(named("job", 3), fc.constantFrom("Foreground", "Background", "Orphan")).map(
  ([name, propagationPolicy]): Operation =>
    (cluster) =>
      cluster.delete("batch/v1", "Job", name, { propagationPolicy }),
);
const removeAll = fc.constantFrom("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet").map(
  (kind): Operation =>
    (cluster) =>
      cluster.fetch(
        `https://cluster.test/apis/apps/v1/namespaces/default/${kind.toLowerCase()}s?labelSelector=none`,
        { method: "DELETE" },
      ),
);

/** For a while, pods live otherwise, or a part of the cluster fails. */
const trouble = fc
  .tuple(
    fc.constantFrom<(cluster: Cluster) => { remove(): void }>(
      (cluster) => cluster.pods.script({ labels: { app: "web-0" } }, crashLoop({ after: "3s" })),
      (cluster) => cluster.pods.script({ image: "nginx:2" }, imagePullBackOff()),
      (cluster) => cluster.pods.script({ labels: { app: "web-1" } }, neverReady()),
      (cluster) => cluster.pods.script({ name: /-0/ }, evicted({ after: "20s" })),
      (cluster) => cluster.pods.script({ node: "node-1" }, slowTermination({ takes: "20s" })),
      (cluster) => cluster.pods.script({}, running({ readyAfter: "4s", pullTakes: "2s" })),
      (cluster) => cluster.pods.script({}, unhealthy({ probe: "readiness" })),
      (cluster) => cluster.inject(nodeDown({ node: "node-2" })),
      (cluster) => cluster.inject(drainBlocked({ labels: { app: "web-0" } })),
      (cluster) => cluster.inject(quotaUsedUp()),
      (cluster) => cluster.inject(podWebhookDown()),
      (cluster) => cluster.inject(imageUnavailable({ image: "nginx:1" })),
    ),
    fc.constantFrom("0s", "5s", "1m", "7m"),
  )
  .map(
    ([begin, duration]): Operation =>
      async (cluster) => {
        const begun = begin(cluster);
        await cluster.clock.advance(duration);
        begun.remove();
      },
  );
const turnBack = fc.nat(300).map(
  (turns): Operation =>
    async (cluster) => {
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      const snapshot = cluster.snapshot();
      await cluster.clock.advance("5s");
      cluster.restore(snapshot);
    },
);

/** What users do to the rest of a cluster. */
export const clusterOperation = fc.oneof(
  ...[budget, budget, removeBudget, replicate, replicate, scaleSet, removeSet, adopt, adopt],
  ...[claim, claim, removeClaim, volume, removeVolume, mount, mount, large, large, reselect, hide],
  ...[
    pause,
    resizeRollout,
    taint,
    finishJob,
    removeJob,
    removeAll,
    trouble,
    trouble,
    trouble,
    trouble,
    turnBack,
  ],
);
