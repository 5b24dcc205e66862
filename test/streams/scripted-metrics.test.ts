import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cluster, createCluster } from "../../src/index.ts";

let cluster: Cluster;

beforeAll(async () => {
  const pod = (name: string, namespace: string, app: string) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace, labels: { app } },
    spec: { containers: [{ name: "a", image: "i" }] },
  });
  const node = { apiVersion: "v1", kind: "Node", metadata: { name: "n" } };
  cluster = createCluster({
    objects: [pod("a", "default", "web"), pod("b", "default", "web"), pod("c", "default", "db"), node],
  });
  const { metrics } = cluster;
  const pods = { apiVersion: "v1", kind: "Pod" };
  await metrics.custom("hits", "10", { ...pods, labels: { app: "web" }, metricLabels: { verb: "GET" } });
  await metrics.custom("hits", "500m", { ...pods, name: "b", metricLabels: { verb: "PUT" } });
  await metrics.custom("hits", "1", { ...pods, namespace: "other", name: "x" });
  await metrics.custom("load", "2", { apiVersion: "v1", kind: "Node", name: "n" });
  await metrics.custom("rate", "3", { apiVersion: "networking.k8s.io/v1", kind: "Ingress", name: "i" });
  await metrics.custom("cost", "4", { apiVersion: "v1", kind: "Namespace", name: "default" });
  await metrics.external("queue", "7", { metricLabels: { topic: "mail" } });
  await metrics.external("queue", "9", { metricLabels: { topic: "jobs" } });
}, 120_000);

afterAll(() => cluster.close());

async function get(path: string) {
  const response = await cluster.fetch(`https://cluster.test/apis/${path}`, {
    headers: { authorization: `Bearer ${cluster.adminToken()}` },
  });
  const text = await response.text();
  return { code: response.status, body: text.startsWith("{") ? JSON.parse(text) : text };
}

const custom = "custom.metrics.k8s.io/v1beta2";

test("discovery lists the metrics", async () => {
  const resource = (name: string, namespaced: boolean, kind = "MetricValueList") => ({
    name,
    singularName: "",
    namespaced,
    kind,
    verbs: ["get"],
  });
  for (const version of ["v1beta1", "v1beta2"]) {
    expect((await get(`custom.metrics.k8s.io/${version}`)).body).toEqual({
      kind: "APIResourceList",
      apiVersion: "v1",
      groupVersion: `custom.metrics.k8s.io/${version}`,
      resources: [
        resource("pods/hits", true),
        resource("nodes/load", false),
        resource("ingresses.networking.k8s.io/rate", true),
        resource("namespaces/cost", false),
      ],
    });
  }
  expect((await get("external.metrics.k8s.io/v1beta1")).body.resources).toEqual([
    resource("queue", true, "ExternalMetricValueList"),
  ]);
  const { body } = await get("custom.metrics.k8s.io");
  expect(body.preferredVersion.version).toBe("v1beta2");
});

test("a metric of an object has the form of its version", async () => {
  const described = { kind: "Pod", namespace: "default", name: "b", apiVersion: "/v1" };
  const timestamp = expect.any(String);
  const metadata = {};
  expect(await get(`${custom}/namespaces/default/pods/b/hits`)).toEqual({
    code: 200,
    body: {
      kind: "MetricValueList",
      apiVersion: custom,
      metadata,
      items: [
        {
          describedObject: described,
          metric: { name: "hits", selector: null },
          timestamp,
          value: "10500m",
        },
      ],
    },
  });
  const selected = "namespaces/default/pods/b/hits?metricLabelSelector=verb%3DPUT,app%20notin%20(x)";
  expect((await get(`custom.metrics.k8s.io/v1beta1/${selected}`)).body.items).toEqual([
    {
      describedObject: described,
      metricName: "hits",
      timestamp,
      value: "500m",
      selector: {
        matchLabels: { verb: "PUT" },
        matchExpressions: [{ key: "app", operator: "NotIn", values: ["x"] }],
      },
    },
  ]);
});

test.each<[string, readonly [string, string][]]>([
  [
    "namespaces/default/pods/*/hits",
    [
      ["a", "10"],
      ["b", "10500m"],
    ],
  ],
  ["namespaces/default/pods/%2A/hits?labelSelector=app%3Ddb", []],
  ["namespaces/default/pods/*/hits?metricLabelSelector=verb%3DPUT", [["b", "500m"]]],
  ["nodes/n/load", [["n", "2"]]],
  ["nodes/*/load", [["n", "2"]]],
  ["namespaces/default/ingresses.networking.k8s.io/i/rate", [["i", "3"]]],
  ["namespaces/default/metrics/cost", [["default", "4"]]],
])("%s has the values of scripts", async (path, values) => {
  const { code, body } = await get(`${custom}/${path}`);
  expect(code).toBe(200);
  const found = body.items.map((item: { describedObject: { name: string }; value: string }) => [
    item.describedObject.name,
    item.value,
  ]);
  expect(found).toEqual(values);
});

test.each([
  [`${custom}/namespaces/default/pods/c/hits`, "the server could not find the metric hits for pods c"],
  [`${custom}/namespaces/default/pods/*/misses`, "the server could not find the metric misses for pods"],
  [`${custom}/namespaces/default/metrics/none`, "the server could not find the metric none for namespaces"],
  [
    "external.metrics.k8s.io/v1beta1/namespaces/default/none",
    "the server could not find the metric none for namespaces",
  ],
  ["external.metrics.k8s.io/v1beta1/namespaces/other/none", "the server could not find the metric none for "],
])("%s is not found", async (path, message) => {
  expect(await get(path)).toEqual({
    code: 404,
    body: {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message,
      reason: "NotFound",
      code: 404,
    },
  });
});

test("a selector that is none is a bad request", async () => {
  const { code, body } = await get(`${custom}/namespaces/default/pods/*/hits?metricLabelSelector=a%3D%3D%3D`);
  expect([code, body.reason]).toEqual([400, "BadRequest"]);
  expect(await get(`${custom}/namespaces/default`)).toMatchObject({
    code: 404,
    body: "404 page not found\n",
  });
});

test.each([
  [
    "namespaces/default/queue",
    [
      ["mail", "7"],
      ["jobs", "9"],
    ],
  ],
  ["namespaces/default/queue?labelSelector=topic%3Djobs", [["jobs", "9"]]],
  ["namespaces/other/queue", []],
])("external metrics: %s", async (path, values) => {
  const { body } = await get(`external.metrics.k8s.io/v1beta1/${path}`);
  expect(body).toMatchObject({
    kind: "ExternalMetricValueList",
    apiVersion: "external.metrics.k8s.io/v1beta1",
  });
  const found = body.items.map((item: { metricLabels: { topic: string }; value: string }) => [
    item.metricLabels.topic,
    item.value,
  ]);
  expect(found).toEqual(values);
});

test("the last value of a series counts, until its handle is removed", async () => {
  const path = "external.metrics.k8s.io/v1beta1/namespaces/default/passing";
  const valueNow = async () => (await get(path)).body.items[0].value;
  const first = await cluster.metrics.external("passing", "1");
  const second = await cluster.metrics.external("passing", "2");
  expect(await valueNow()).toBe("2");
  second.remove();
  expect(await valueNow()).toBe("1");
  first.remove();
  expect((await get(path)).code).toBe(404);
  await cluster.settle();
});

test("metrics need names, quantities and kinds", async () => {
  const { metrics } = cluster;
  const pods = { apiVersion: "v1", kind: "Pod" };
  await expect(metrics.external("", "1")).rejects.toThrow("the name of the metric must be");
  await expect(metrics.external("queue", "many")).rejects.toThrow("the value of queue must be a quantity");
  await expect(metrics.external("queue", "1", { labels: {} } as never)).rejects.toThrow("labels");
  await expect(metrics.custom("hits", "1", { apiVersion: "v1" } as never)).rejects.toThrow("kind");
  await expect(metrics.custom("hits", "1", { ...pods, kind: "Pot" })).rejects.toThrow("did you mean Pod?");
});
