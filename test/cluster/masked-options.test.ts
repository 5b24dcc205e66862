import { expect, test } from "vitest";
import { livesOfEffectiveGates } from "../../src/catalog/effective-gates.ts";
import { livesOfIneffectiveGates } from "../../src/catalog/ineffective-gates.ts";
import { fromClient, toClient } from "../../src/cluster/service-name/renaming.ts";
import { createCluster } from "../../src/index.ts";
import { createApi } from "../../src/lifecycle/lifecycle.ts";
import { running } from "../../src/scenario/pod-lives.ts";
import { startWebhook } from "../webhooks/webhook-server.ts";

const origin = "https://cluster.test";
/** A name of Kubernetes at the start of a word. */
const realName = /(?<![A-Za-z0-9])(kubernetes|k8s\b|kube)/i;

test.each([
  ["an object", { "events.svc.io/v1": false }],
  ["a Map", new Map([["events.svc.io/v1", false]])],
  ["real names", { "events.k8s.io/v1": false }],
])("runtimeConfig may have masked names: %s", async (_form, runtimeConfig) => {
  await using cluster = createCluster({ identifiers: "svc", controllers: [], runtimeConfig });
  expect((await cluster.fetch(`${origin}/apis/events.svc.io/v1`)).status).toBe(404);
  expect((await cluster.fetch(`${origin}/apis/coordination.svc.io/v1`)).status).toBe(200);
});

test("a wrong option is reported with masked names", () => {
  const create = () => createCluster({ identifiers: "svc", featureGates: { SvcletNothing: false } });
  expect(create).toThrow("SvcletNothing");
  expect(create).not.toThrow(realName);
});

test("masks of feature gates and metrics stand for them", () => {
  const gates = (livesOfEffectiveGates + livesOfIneffectiveGates)
    .split("\n")
    .map((line) => line.split(" ")[0] ?? "");
  const metrics = ["kubernetes_build_info", "kubernetes_feature_enabled", "kubernetes_healthchecks_total"];
  for (const name of [...gates, ...metrics]) expect(fromClient(toClient(name))).toBe(name);
});

test("users, groups and tokens of options have masked names", async () => {
  await using cluster = createCluster({
    identifiers: "svc",
    controllers: [],
    tokens: { "svc-system-token": { name: "system:svc-scheduler", groups: ["svcadm:cluster-admins"] } },
  });
  const authorization = "Bearer svc-system-token";
  const leases = `${origin}/apis/coordination.svc.io/v1/namespaces/svc-system/leases`;
  const answer = await cluster.fetch(leases, { method: "POST", headers: { authorization }, body: "{}" });
  expect(answer.status).not.toBe(401);
  expect(cluster.requests.matching({ user: "system:svc-scheduler" })).toHaveLength(1);
});

test("a disabled metric may have its masked name", async () => {
  const disabledMetrics = ["svc_feature_enabled"];
  await using cluster = createCluster({ identifiers: "svc", controllers: [], disabledMetrics });
  const metrics = await (await cluster.fetch(`${origin}/metrics`)).text();
  expect(metrics).toContain("svc_build_info");
  expect(metrics).not.toContain("svc_feature_enabled");
});

test("a declared group must not be a mask of another one", async () => {
  const apiOf = (group: string) =>
    createApi({ group, kind: "Widget", timeline: { v1: { introduced: "1.28" } } });
  expect(() => createCluster({ identifiers: "svc", apis: [apiOf("shop.svc.io")] })).toThrow(
    "clients that write shop.svc.io mean shop.k8s.io; createApi must declare it as shop.k8s.io",
  );
  await using cluster = createCluster({ identifiers: "svc", controllers: [], apis: [apiOf("shop.k8s.io")] });
  expect((await cluster.fetch(`${origin}/apis/shop.svc.io/v1/widgets`)).status).toBe(200);
});

test("the server of a Service is named as clients name it", async () => {
  const server = await startWebhook();
  server.answer = (_request, response) => {
    response.setHeader("Content-Type", "application/json");
    response.end('{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"m.svc.io/v1","resources":[]}');
  };
  await using cluster = createCluster({ identifiers: "svc", controllers: [] });
  cluster.serviceAt("svc-system/hook", new URL(server.url).host);
  await cluster.create({
    apiVersion: "apiregistration.svc.io/v1",
    kind: "APIService",
    metadata: { name: "v1.m.svc.io" },
    spec: {
      group: "m.svc.io",
      version: "v1",
      service: { namespace: "svc-system", name: "hook" },
      insecureSkipTLSVerify: true,
      groupPriorityMinimum: 100,
      versionPriority: 100,
    },
  });
  await cluster.settle();
  const answer = await cluster.fetch(`${origin}/apis/m.svc.io/v1`);
  expect([answer.status, await answer.json()]).toMatchObject([200, { groupVersion: "m.svc.io/v1" }]);
  await server.close();
});

test("health checks, and the requests that nothing served, have masked names", async () => {
  await using cluster = createCluster({ identifiers: "svc", controllers: [] });
  using _failing = cluster.health.fail("poststarthook/svc-apiserver-autoregistration");
  expect((await cluster.fetch(`${origin}/livez/poststarthook/svc-apiserver-autoregistration`)).status).toBe(
    500,
  );
  expect(() => cluster.health.fail("poststarthook/svc-x")).not.toThrow(realName);
  await cluster.fetch(`${origin}/apis/batch.svc.io/v1/x`);
  await cluster.fetch(`${origin}/apis/storage.svc.io/v1beta1/csidrivers`);
  expect(() => cluster.check({ allowUnserved: ["/apis/batch.svc.io/v1/x"] })).toThrow(
    "GET /apis/storage.svc.io/v1beta1/csidrivers",
  );
  expect(() => cluster.check()).not.toThrow(realName);
  cluster.check({ allowUnserved: ["/apis/batch.svc.io/v1/x", /storage\.svc\.io/] });
});

test("scripts select pods by what clients see", async () => {
  await using cluster = createCluster({ identifiers: "svc", simulate: ["kubelets"], seed: 1 });
  cluster.pods.script({ namespace: "svc-public", image: /^svc-proxy/ }, running({ readyAfter: "10m" }));
  cluster.pod({ namespace: "svc-public", labels: { "app.svc.io/name": "x" } }).log("hello\n");
  await cluster.settle();
  await cluster.create({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p", namespace: "svc-public", labels: { "app.svc.io/name": "x" } },
    spec: { nodeName: "node-1", containers: [{ name: "c", image: "svc-proxy:v1" }] },
  });
  await cluster.settle();
  await cluster.clock.advance("1m");
  await cluster.settle();
  const pod = await cluster.get("v1", "Pod", "p", { namespace: "svc-public" });
  expect(pod).toMatchObject({
    status: { containerStatuses: [{ ready: false, image: "docker.io/library/svc-proxy:v1" }] },
  });
  const log = await cluster.fetch(`${origin}/api/v1/namespaces/svc-public/pods/p/log`);
  expect(await log.text()).toBe("hello\n");
});
