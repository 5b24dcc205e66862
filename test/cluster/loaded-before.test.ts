import { expect, test } from "vitest";
import { VirtualClock } from "../../src/apimachinery/clock.ts";
import { type Cluster, createCluster, type KubeObject } from "../../src/index.ts";

const labels = { app: "shop" };
const template = {
  metadata: { labels },
  spec: { containers: [{ name: "web", image: "nginx", ports: [{ containerPort: 80 }] }] },
};
const workload = { selector: { matchLabels: labels }, template };

function manifest(
  apiVersion: string,
  kind: string,
  parts: object,
  metadata: object = { namespace: "shop" },
): KubeObject {
  return { apiVersion, kind, metadata: { name: "a", ...metadata }, ...parts };
}

const objects: readonly KubeObject[] = [
  manifest("v1", "Namespace", {}, { name: "shop", labels }),
  manifest("v1", "ConfigMap", { data: { a: "1" } }),
  manifest("v1", "Secret", { stringData: { a: "1" } }),
  manifest("v1", "ServiceAccount", {}),
  manifest("v1", "Pod", { spec: template.spec }),
  manifest(
    "v1",
    "Pod",
    { spec: { ...template.spec, schedulingGates: [{ name: "a/b" }] } },
    { name: "gated" },
  ),
  manifest("v1", "PersistentVolumeClaim", {
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  }),
  manifest("v1", "Endpoints", { subsets: [{ addresses: [{ ip: "10.0.0.1" }], ports: [{ port: 80 }] }] }),
  manifest("v1", "LimitRange", { spec: { limits: [{ type: "Container", max: { cpu: "1" } }] } }),
  manifest("v1", "ResourceQuota", { spec: { hard: { pods: "10" } } }),
  manifest("v1", "ReplicationController", { spec: { selector: labels, template } }),
  manifest("v1", "Service", { spec: { ports: [{ port: 80 }] } }),
  manifest("apps/v1", "Deployment", { spec: workload }),
  manifest("apps/v1", "ReplicaSet", { spec: workload }),
  manifest("apps/v1", "DaemonSet", { spec: workload }),
  manifest("apps/v1", "StatefulSet", { spec: { ...workload, serviceName: "a" }, status: { replicas: 1 } }),
  manifest("batch/v1", "Job", { spec: { template: { spec: { ...template.spec, restartPolicy: "Never" } } } }),
  manifest("batch/v1", "CronJob", {
    spec: {
      schedule: "* * * * *",
      jobTemplate: { spec: { template: { spec: { ...template.spec, restartPolicy: "Never" } } } },
    },
  }),
  manifest("autoscaling/v2", "HorizontalPodAutoscaler", {
    spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "a" }, maxReplicas: 3 },
  }),
  manifest("coordination.k8s.io/v1", "Lease", { spec: { holderIdentity: "a" } }),
  manifest("networking.k8s.io/v1", "Ingress", { spec: { rules: [{ host: "a.example.com" }] } }),
  manifest("networking.k8s.io/v1", "NetworkPolicy", { spec: { podSelector: {} } }),
  manifest("policy/v1", "PodDisruptionBudget", {
    spec: { selector: { matchLabels: labels }, minAvailable: 1 },
  }),
];

const stored = (cluster: Cluster): Promise<readonly KubeObject[]> =>
  Promise.all(
    objects.map(({ apiVersion, kind, metadata }) =>
      cluster.get(apiVersion, kind, metadata.name ?? "", { namespace: metadata.namespace ?? "default" }),
    ),
  );

const hour = (number: number) => new VirtualClock(`2031-02-03T0${number}:00:00Z`);

/** Without what is allocated at random. The uids of an object and its times become placeholders, wherever they are. */
function comparable(object: KubeObject, created: string): unknown {
  const text = JSON.stringify(object)
    .replaceAll(object.metadata.uid ?? "", "UID")
    .replaceAll(created, "TIME");
  return JSON.parse(text.replace(/"(clusterIP|clusterIPs)":[^,]+,/g, ""));
}

test("the same objects in another cluster are those of the first, with uids and times of their own", async () => {
  const clusters = [1, 2, 3].map((number) =>
    createCluster({ objects, clock: hour(number), controllers: [], featureGates: { PodDeletionCost: true } }),
  );
  const found = [];
  // One after the other: later ones take what the first has stored.
  for (const cluster of clusters) found.push(await stored(cluster));
  const compared = found.map((all, at) =>
    all.map((object) => comparable(object, `2031-02-03T0${at + 1}:00:00Z`)),
  );
  expect(compared[1]).toEqual(compared[0]);
  expect(compared[2]).toEqual(compared[0]);
  expect(new Set(found.flat().map(({ metadata }) => metadata.uid))).toHaveLength(3 * objects.length);
  for (const cluster of clusters) await cluster.close();
});

test("a cluster has what was changed since an earlier one was created", async () => {
  const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { step: "1" } };
  const steps = [];
  for (const step of ["1", "2", "1"]) {
    configMap.data.step = step;
    await using cluster = createCluster({ objects: [configMap], controllers: [] });
    steps.push((await cluster.get("v1", "ConfigMap", "a"))["data"]);
  }
  expect(steps).toEqual([{ step: "1" }, { step: "2" }, { step: "1" }]);
});

test("an object keeps what a change of it in another cluster does not concern", async () => {
  const pod = manifest("v1", "Pod", { spec: template.spec }, { namespace: "default" });
  await using first = createCluster({ objects: [pod], controllers: [] });
  await first.patch("v1", "Pod", "a", { metadata: { labels: { changed: "yes" } } });
  await using second = createCluster({ objects: [pod], controllers: [] });
  expect((await second.get("v1", "Pod", "a")).metadata.labels).toBeUndefined();
});

test("gates decide what is stored, whatever clusters with other gates have stored", async () => {
  const pod = manifest("v1", "Pod", { spec: { ...template.spec, hostnameOverride: "h" } }, {});
  const names = [];
  for (const HostnameOverride of [true, false, true]) {
    await using cluster = createCluster({
      release: "1.34",
      objects: [pod],
      controllers: [],
      featureGates: { HostnameOverride },
    });
    names.push(Object((await cluster.get("v1", "Pod", "a"))["spec"]).hostnameOverride);
  }
  expect(names).toEqual(["h", undefined, "h"]);
});

test("an object that the cluster has already is replaced", async () => {
  const account = {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: { name: "default", namespace: "default", labels },
  };
  for (const _ of [1, 2]) {
    await using cluster = createCluster({ objects: [account] });
    const found = await cluster.get("v1", "ServiceAccount", "default");
    expect(found.metadata.labels).toEqual(labels);
  }
});
