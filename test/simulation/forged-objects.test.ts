import fc from "fast-check";
import { expect, test } from "vitest";
import { type Cluster, createCluster, type KubeObject, StatusError } from "../../src/index.ts";

const template = (app: string, more: object = {}) => ({
  metadata: { labels: { app } },
  spec: { containers: [{ name: "main", image: "nginx" }], ...more },
});
const workload = (kind: string, spec: object = {}) => ({
  apiVersion: "apps/v1",
  kind,
  metadata: { name: "web" },
  spec: { selector: { matchLabels: { app: kind } }, template: template(kind), ...spec },
});
const claimSpec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
const job = {
  completions: 2,
  completionMode: "Indexed",
  template: template("job", { restartPolicy: "Never" }),
};

const objects: readonly object[] = [
  workload("Deployment", { replicas: 2 }),
  workload("StatefulSet", { replicas: 2, serviceName: "web" }),
  workload("DaemonSet"),
  { apiVersion: "batch/v1", kind: "Job", metadata: { name: "web" }, spec: job },
  { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name: "web" }, spec: claimSpec },
  {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: "web" },
    spec: { accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" }, hostPath: { path: "/tmp/web" } },
  },
  service("Deployment"),
];

/** What controllers read, by the kinds whose objects have it. */
const annotations: readonly (readonly [apiVersion: string, kind: string, annotation: string])[] = [
  ["apps/v1", "ReplicaSet", "deployment.kubernetes.io/revision"],
  ["apps/v1", "ReplicaSet", "deployment.kubernetes.io/revision-history"],
  ["apps/v1", "ReplicaSet", "deployment.kubernetes.io/desired-replicas"],
  ["apps/v1", "ReplicaSet", "deployment.kubernetes.io/max-replicas"],
  ["apps/v1", "Deployment", "deployment.kubernetes.io/revision"],
  ["v1", "Pod", "controller.kubernetes.io/pod-deletion-cost"],
  ["v1", "Pod", "batch.kubernetes.io/job-completion-index"],
  ["batch/v1", "Job", "batch.kubernetes.io/job-tracking"],
  ["v1", "PersistentVolumeClaim", "pv.kubernetes.io/bind-completed"],
  ["v1", "PersistentVolumeClaim", "pv.kubernetes.io/bound-by-controller"],
  ["v1", "PersistentVolumeClaim", "volume.kubernetes.io/selected-node"],
  ["v1", "PersistentVolume", "pv.kubernetes.io/provisioned-by"],
  ["v1", "Endpoints", "endpoints.kubernetes.io/last-change-trigger-time"],
  ["v1", "Service", "service.kubernetes.io/topology-mode"],
  ["v1", "Node", "node.alpha.kubernetes.io/ttl"],
];
const labels = ["pod-template-hash", "controller-revision-hash", "apps.kubernetes.io/pod-index"];
const junk = fc.oneof(
  fc.constantFrom("abc", "", "-1", "1e9", "1.5", "NaN", "{}", "2147483648", "9223372036854775807"),
  fc.string(),
);
const forged = fc.oneof(
  fc.tuple(fc.constantFrom(...annotations), junk).map(([[apiVersion, kind, annotation], value]) => ({
    apiVersion,
    kind,
    metadata: { annotations: { [annotation]: value } },
  })),
  fc.tuple(fc.constantFrom(...labels), fc.constantFrom("junk", "0", "99999999999")).map(([label, value]) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { labels: { [label]: value } },
  })),
  fc.tuple(fc.constantFrom("ReplicaSet", "Job", "Nothing"), fc.boolean()).map(([kind, controller]) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { ownerReferences: [{ apiVersion: "apps/v1", kind, name: "web", uid: "forged", controller }] },
  })),
);

function service(app: string) {
  const spec = { selector: { app }, ports: [{ port: 80 }] };
  return { apiVersion: "v1", kind: "Service", metadata: { name: app.toLowerCase() }, spec };
}

/** Refusals are answers, too. */
const ignoreRefusal = (error: unknown) => {
  if (!(error instanceof StatusError) || error.status.code === 500) throw error;
};

async function forge(cluster: Cluster, { apiVersion, kind, metadata }: KubeObject): Promise<void> {
  for (const { metadata: found } of (await cluster.list<KubeObject>(apiVersion, kind)).items)
    await cluster.patch(apiVersion, kind, found.name ?? "", { metadata }).catch(ignoreRefusal);
  await cluster.settle();
}

test("whatever clients write into what controllers read, other objects go on, and the cluster comes to rest", {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(forged, { minLength: 1, maxLength: 8 }), async (all) => {
      await using cluster = createCluster({ simulate: true, seed: 1 });
      for (const object of objects) await cluster.create(object);
      await cluster.settle();
      for (const one of all) await forge(cluster, one);
      const spec = { replicas: 3, template: { spec: { containers: [{ name: "main", image: "nginx:2" }] } } };
      for (const kind of ["Deployment", "StatefulSet"]) await cluster.patch("apps/v1", kind, "web", { spec });
      const other = { ...workload("Deployment", { replicas: 2 }), metadata: { name: "other" } };
      const matchLabels = { app: "other" };
      const own = { selector: { matchLabels }, template: template("other") };
      await cluster.create({ ...other, spec: { ...other.spec, ...own } });
      await cluster.create(service("other"));
      await cluster.clock.advance("2h");
      const { status } = await cluster.get("apps/v1", "Deployment", "other");
      expect(status?.readyReplicas).toBe(2);
      const { subsets = [] } = await cluster.get("v1", "Endpoints", "other");
      expect(subsets.flatMap(({ addresses = [] }) => addresses)).toHaveLength(2);
      const { resourceVersion } = (await cluster.list("v1", "Node")).metadata;
      await cluster.clock.advance("22h");
      expect((await cluster.list("v1", "Node")).metadata.resourceVersion).toBe(resourceVersion);
    }),
    { numRuns: 6, interruptAfterTimeLimit: 90_000 },
  );
});
