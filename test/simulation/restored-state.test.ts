import { afterEach, expect, test } from "vitest";
import { type Cluster, type ClusterOptions, type ClusterSnapshot, createCluster } from "../../src/index.ts";
import { template } from "./workloads.ts";

const clusters: Cluster[] = [];
afterEach(async () => {
  for (const cluster of clusters.splice(0)) await cluster.close();
});

function started(options: ClusterOptions): Cluster {
  const cluster = createCluster(options);
  clusters.push(cluster);
  return cluster;
}

async function snapshotWithDeployment(options: ClusterOptions): Promise<ClusterSnapshot> {
  const cluster = started(options);
  const selector = { matchLabels: { app: "web" } };
  const spec = { replicas: 2, selector, template: template("web") };
  await cluster.create({ apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web" }, spec });
  await cluster.settle();
  return cluster.snapshot();
}

test.each<[string, ClusterOptions]>([
  ["a plain cluster", {}],
  ["a cluster with some of the simulation", { simulate: ["workloads"] }],
])("controllers act on the objects of %s that did not run them", async (_origin, options) => {
  const snapshot = await snapshotWithDeployment(options);
  for (const isSettled of [false, true]) {
    const cluster = started({ simulate: true });
    if (isSettled) await cluster.settle();
    cluster.restore(snapshot);
    await cluster.settle();
    const { status } = await cluster.get<{ status?: object }>("apps/v1", "Deployment", "web");
    expect(status).toMatchObject({ readyReplicas: 2 });
    expect((await cluster.list("v1", "Node")).items).toHaveLength(3);
  }
});
