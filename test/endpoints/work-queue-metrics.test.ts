import { afterEach, expect, test } from "vitest";
import type { Release } from "../../src/apimachinery/release.ts";
import { type Cluster, createCluster, VirtualClock } from "../../src/index.ts";

const clusters: Cluster[] = [];

afterEach(async () => {
  for (const cluster of clusters.splice(0)) await cluster.close();
});

function clusterOf(release: Release): Cluster {
  const clock = new VirtualClock("2030-01-01T00:00:00Z");
  const cluster = createCluster({ release, clock, controllers: [] });
  clusters.push(cluster);
  return cluster;
}

async function metricsOf(cluster: Cluster): Promise<string> {
  const headers = { authorization: `Bearer ${cluster.adminToken()}` };
  return (await cluster.fetch("https://x/metrics", { headers })).text();
}

/** A metric by the names of queues. */
async function queues(cluster: Cluster, metric: string): Promise<Readonly<Record<string, number>>> {
  const lines = (await metricsOf(cluster)).matchAll(
    new RegExp(`^workqueue_${metric}\\{name="(.+)"\\} (\\S+)$`, "gm"),
  );
  return Object.fromEntries([...lines].map(([, name, value]) => [name, Number(value)]));
}

const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "cakes.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "cakes", kind: "Cake" },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
  },
};

const apiService = {
  apiVersion: "apiregistration.k8s.io/v1",
  kind: "APIService",
  metadata: { name: "v1.other.example.com" },
  spec: {
    group: "other.example.com",
    version: "v1",
    groupPriorityMinimum: 1000,
    versionPriority: 15,
    insecureSkipTLSVerify: true,
    service: { namespace: "default", name: "other" },
  },
};

test.each<[Release, string, readonly string[], readonly string[]]>([
  [
    "1.16",
    "ALPHA",
    ["AvailableConditionController"],
    ["RemoteAvailabilityController", "crd_openapi_v3_controller"],
  ],
  ["1.30", "ALPHA", ["AvailableConditionController", "discovery-manager"], ["LocalAvailabilityController"]],
  ["1.35", "ALPHA", ["RemoteAvailabilityController", "services"], ["AvailableConditionController"]],
  ["1.36", "BETA", ["LocalAvailabilityController", "ipaddresses"], ["AvailableConditionController"]],
])("an idle server of %s has its queues, at the level %s", async (release, level, present, absent) => {
  const cluster = clusterOf(release);
  const depth = await queues(cluster, "depth");
  expect(Object.keys(depth)).toEqual(expect.arrayContaining([...present, "crd_finalizer", "autoregister"]));
  for (const name of absent) expect(depth).not.toHaveProperty(name);
  expect(new Set(Object.values(depth))).toEqual(new Set([0]));
  expect(await metricsOf(cluster)).toContain(`# HELP workqueue_depth [${level}] Current depth of workqueue`);
});

test.each<[Release, string]>([
  ["1.30", "AvailableConditionController"],
  ["1.32", "LocalAvailabilityController"],
])(
  "in %s, a definition enters the queues of its controllers, and that of its end when it is deleted",
  async (release, availability) => {
    const cluster = clusterOf(release);
    const before = await queues(cluster, "adds_total");
    await cluster.create(definition);
    await cluster.settle();
    const created = await queues(cluster, "adds_total");
    const grown = Object.keys(created).filter((name) => (created[name] ?? 0) > (before[name] ?? 0));
    const expected = [
      "APIServiceRegistrationController",
      availability,
      "DiscoveryController",
      "autoregister",
      "crdEstablishing",
      "crd_autoregistration_controller",
      "crd_naming_condition_controller",
      "crd_openapi_controller",
      "crd_openapi_v3_controller",
      "kubernetes_api_approval_conformant_condition_controller",
      "non_structural_schema_condition_controller",
    ];
    expect(grown.toSorted()).toEqual(expected.toSorted());
    await cluster.delete("apiextensions.k8s.io/v1", "CustomResourceDefinition", "cakes.example.com");
    await cluster.settle();
    expect((await queues(cluster, "adds_total"))["crd_finalizer"]).toBeGreaterThan(0);
    const processed = await queues(cluster, "work_duration_seconds_count");
    expect(processed).toEqual(await queues(cluster, "adds_total"));
  },
);

test.each<[Release, string]>([
  ["1.30", "AvailableConditionController"],
  ["1.32", "RemoteAvailabilityController"],
])("an APIService of another server enters its queue in %s", async (release, queue) => {
  const cluster = clusterOf(release);
  expect((await queues(cluster, "adds_total"))[queue]).toBe(0);
  await cluster.create(apiService);
  await cluster.settle();
  expect((await queues(cluster, "adds_total"))[queue]).toBeGreaterThan(0);
});
