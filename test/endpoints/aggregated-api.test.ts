import { afterAll, expect, test } from "vitest";
import { type ApiServerFunction, type Cluster, createCluster, VirtualClock } from "../../src/index.ts";

const clusters: Cluster[] = [];
afterAll(() => Promise.all(clusters.map((cluster) => cluster.close())));

function newCluster(options: Parameters<typeof createCluster>[0] = {}): Cluster {
  const cluster = createCluster({ clock: new VirtualClock("2026-01-01T00:00:00Z"), ...options });
  clusters.push(cluster);
  return cluster;
}

const name = "v1beta1.metrics.k8s.io";
const gv = "/apis/metrics.k8s.io/v1beta1";
const resources = {
  kind: "APIResourceList",
  apiVersion: "v1",
  groupVersion: "metrics.k8s.io/v1beta1",
  resources: [
    { name: "nodes", singularName: "", namespaced: false, kind: "NodeMetrics", verbs: ["get", "list"] },
    { name: "pods", singularName: "", namespaced: true, kind: "PodMetrics", verbs: ["get", "list"] },
  ],
};

/** A server of metrics, with what each path answers beyond discovery. */
function metricsServer(more: { readonly [path: string]: ApiServerFunction } = {}): ApiServerFunction {
  return (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === gv) return Response.json(resources);
    return more[pathname]?.(request) ?? new Response("404 page not found\n", { status: 404 });
  };
}

async function get(cluster: Cluster, path: string, headers: { readonly [name: string]: string } = {}): Promise<Response> {
  return cluster.fetch(`https://cluster.test${path}`, {
    headers: { authorization: `Bearer ${cluster.adminToken()}`, ...headers },
  });
}

async function availability(cluster: Cluster): Promise<unknown> {
  const service = await cluster.get("apiregistration.k8s.io/v1", "APIService", name);
  return service.status?.conditions?.map(({ type, status, reason, message }) => [type, status, reason, message]);
}

test("a function answers for an APIService, which it makes available", async () => {
  const cluster = newCluster();
  await cluster.apiServer(name, metricsServer({ [`${gv}/nodes`]: () => Response.json({ items: [1] }) }));
  expect(await availability(cluster)).toEqual([["Available", "True", "Passed", "all checks passed"]]);
  const answer = await get(cluster, `${gv}/nodes`);
  expect([answer.status, await answer.json()]).toEqual([200, { items: [1] }]);
});
