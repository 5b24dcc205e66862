import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cluster, createCluster } from "../../src/index.ts";

let cluster: Cluster;

beforeAll(async () => {
  const containers = [
    { name: "a", image: "i" },
    { name: "b", image: "i" },
  ];
  const pod = (name: string, namespace: string) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace, labels: { app: name } },
    spec: { containers },
  });
  const node = { apiVersion: "v1", kind: "Node", metadata: { name: "n" } };
  cluster = createCluster({
    objects: [pod("web", "default"), pod("idle", "default"), pod("web", "other"), node],
  });
  const web = cluster.pod("web");
  await web.usage({ cpu: "100m", memory: "64Mi" });
  await web.usage({ cpu: "1", memory: "1Gi" }, { container: "b" });
  await cluster.node("n").usage({ cpu: "2", memory: "3Gi" });
}, 120_000);

afterAll(() => cluster.close());

async function get(path: string) {
  const response = await cluster.fetch(`https://cluster.test/apis/metrics.k8s.io/v1beta1${path}`, {
    headers: { authorization: `Bearer ${cluster.adminToken()}` },
  });
  return { code: response.status, body: JSON.parse(await response.text()) };
}

const used = [
  { name: "a", usage: { cpu: "100m", memory: "64Mi" } },
  { name: "b", usage: { cpu: "1", memory: "1Gi" } },
];

test.each([["/pods"], ["/namespaces/default/pods"], ["/pods?labelSelector=app%3Dweb"]])(
  "%s lists what scripts say",
  async (path) => {
    const { code, body } = await get(path);
    expect(code).toBe(200);
    expect(body).toMatchObject({ kind: "PodMetricsList", apiVersion: "metrics.k8s.io/v1beta1" });
    expect(body.items).toMatchObject([
      { metadata: { name: "web", namespace: "default" }, window: "15s", containers: used },
    ]);
  },
);

test("a pod and a node have their own", async () => {
  expect((await get("/namespaces/default/pods/web")).body).toMatchObject({
    kind: "PodMetrics",
    containers: used,
  });
  expect((await get("/nodes/n")).body).toMatchObject({
    kind: "NodeMetrics",
    usage: { cpu: "2", memory: "3Gi" },
  });
  expect((await get("/nodes")).body.items).toHaveLength(1);
});

test.each([
  ["/namespaces/default/pods/idle", 'podmetrics.metrics.k8s.io "default/idle" not found'],
  ["/namespaces/default/pods/none", 'podmetrics.metrics.k8s.io "default/none" not found'],
  ["/nodes/none", 'nodemetrics.metrics.k8s.io "none" not found'],
])("%s is not found", async (path, message) => {
  const { code, body } = await get(path);
  expect([code, body.message]).toEqual([404, message]);
});

test("a selector that matches nothing lists nothing", async () => {
  expect((await get("/pods?labelSelector=app%3Dnone")).body.items).toEqual([]);
});

test("usage needs quantities", async () => {
  await expect(cluster.pod("web").usage({ cpu: "much", memory: "1Gi" })).rejects.toThrow(
    "usage: cpu must be a quantity",
  );
  await expect(cluster.pod("web").usage({ cpu: "1" } as never)).rejects.toThrow(
    "usage needs the option memory",
  );
});
