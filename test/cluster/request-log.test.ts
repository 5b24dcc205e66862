import { describe, expect, test } from "vitest";
import { turn } from "../../src/apimachinery/clock.ts";
import { type AuditEvent, type Cluster, type ClusterOptions, createCluster } from "../../src/index.ts";
import { openEntry } from "../../src/scenario/logged-request.ts";
import { throttle } from "../../src/scenario/presets.ts";
import { RequestLog } from "../../src/scenario/request-log.ts";
import { configMap, refusalOf } from "./manifests.ts";

const collection = "/api/v1/namespaces/default/configmaps";

/** The audit events of a cluster for requests of Alice. */
async function audited(
  options: ClusterOptions,
  ...asked: readonly (readonly [method: string, path: string, body?: object])[]
): Promise<readonly AuditEvent[]> {
  await using cluster = createCluster({ seed: 1, controllers: [], ...options });
  const token = cluster.token("alice", { groups: ["dev"], uid: "u-1" });
  for (const [method, path, body] of asked) {
    const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
    const answer = await cluster.fetch(`https://cluster.test${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": type, "user-agent": "a-client/1.0" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (path.includes("watch=true")) await answer.body?.cancel();
    else await answer.text();
  }
  return cluster.requests.auditEvents();
}

describe("the audit event of a request", () => {
  test("contains the user, the request, the times and the response", async () => {
    const [event] = await audited({}, ["GET", `${collection}?limit=5`]);
    expect(event).toEqual({
      kind: "Event",
      apiVersion: "audit.k8s.io/v1",
      level: "Metadata",
      auditID: expect.stringMatching(/^[0-9a-f-]{36}$/),
      stage: "ResponseComplete",
      requestURI: `${collection}?limit=5`,
      verb: "list",
      user: { username: "alice", uid: "u-1", groups: ["dev", "system:authenticated"] },
      userAgent: "a-client/1.0",
      objectRef: { resource: "configmaps", namespace: "default", apiVersion: "v1" },
      responseStatus: { metadata: {}, code: 200 },
      requestReceivedTimestamp: "2026-01-01T00:00:00.000000Z",
      stageTimestamp: "2026-01-01T00:00:00.000000Z",
      annotations: { "authorization.k8s.io/decision": "allow", "authorization.k8s.io/reason": "" },
    });
  });

  test("contains the Status of a refused request", async () => {
    const [event] = await audited({}, ["GET", `${collection}/a`]);
    expect(event?.["responseStatus"]).toEqual({
      metadata: {},
      status: "Failure",
      message: 'configmaps "a" not found',
      reason: "NotFound",
      details: { name: "a", kind: "configmaps" },
      code: 404,
    });
  });

  test("says that the request was forbidden", async () => {
    const [event] = await audited({ authorizationMode: "RBAC" }, ["DELETE", `${collection}/a`]);
    expect(event).toMatchObject({
      verb: "delete",
      responseStatus: { reason: "Forbidden", code: 403 },
      annotations: { "authorization.k8s.io/decision": "forbid" },
    });
  });

  test("has no user if the token is invalid", async () => {
    await using cluster = createCluster({ controllers: [] });
    await cluster.fetch(`https://cluster.test${collection}`, { headers: { authorization: "Bearer wrong" } });
    expect(cluster.requests.auditEvents()[0]).toMatchObject({
      stage: "ResponseStarted",
      user: {},
      responseStatus: { metadata: {}, message: "Authentication failed, attempted: bearer", code: 401 },
    });
  });

  test("has the stage ResponseStarted for a watch, and RequestReceived for an unanswered request", async () => {
    await using cluster = createCluster({ controllers: [], seed: 1 });
    const headers = { authorization: `Bearer ${cluster.adminToken()}` };
    const watch = await cluster.fetch(`https://cluster.test${collection}?watch=true`, { headers });
    const late = cluster.fetch(`https://cluster.test${collection}?resourceVersion=99999`, { headers });
    await turn();
    const events = cluster.requests.auditEvents();
    expect(events.map(({ verb, stage }) => [verb, stage])).toEqual([
      ["watch", "ResponseStarted"],
      ["list", "RequestReceived"],
    ]);
    expect(events[1]).not.toHaveProperty("responseStatus");
    await cluster.clock.advance("3s");
    await late;
    expect(cluster.requests.auditEvents()[1]).toMatchObject({
      stage: "ResponseComplete",
      requestReceivedTimestamp: "2026-01-01T00:00:00.000000Z",
      stageTimestamp: "2026-01-01T00:00:03.000000Z",
    });
    await watch.body?.cancel();
    expect(cluster.requests.auditEvents()[0]).toMatchObject({
      verb: "watch",
      stage: "ResponseComplete",
      stageTimestamp: "2026-01-01T00:00:03.000000Z",
    });
  });

  test("has no object for a non-resource request", async () => {
    const [event] = await audited({}, ["GET", "/version"]);
    expect(event).toMatchObject({ verb: "get", requestURI: "/version" });
    expect(event).not.toHaveProperty("objectRef");
  });

  test("says that an API is deprecated, and in which release it is removed", async () => {
    const path = "/apis/batch/v1beta1/namespaces/default/cronjobs";
    const [event] = await audited({ release: "1.24" }, ["GET", path]);
    expect(event?.["annotations"]).toMatchObject({
      "k8s.io/deprecated": "true",
      "k8s.io/removed-release": "1.25",
    });
  });

  test("contains the request body at the level Request, and the name in it", async () => {
    const [created, patched] = await audited(
      { auditLevel: "Request" },
      ["POST", collection, configMap("a")],
      ["PATCH", `${collection}/a`, { data: { color: "blue" } }],
    );
    expect(created).toMatchObject({
      level: "Request",
      objectRef: { resource: "configmaps", namespace: "default", name: "a", apiVersion: "v1" },
      requestObject: configMap("a"),
    });
    expect(created).not.toHaveProperty("responseObject");
    expect(patched?.["requestObject"]).toEqual({ data: { color: "blue" } });
  });

  test("also contains the response body at the level RequestResponse, except for streams", async () => {
    const [created, listed, watched] = await audited(
      { auditLevel: "RequestResponse" },
      ["POST", collection, configMap("a")],
      ["GET", collection],
      ["GET", `${collection}?watch=true&resourceVersion=0`],
    );
    expect(created).toMatchObject({ responseObject: { kind: "ConfigMap", metadata: { name: "a" } } });
    expect(listed).toMatchObject({
      responseObject: { kind: "ConfigMapList", items: [{ metadata: { name: "a" } }] },
    });
    expect(watched).not.toHaveProperty("responseObject");
  });

  test("truncates a long user agent", async () => {
    await using cluster = createCluster({ controllers: [] });
    const headers = { authorization: `Bearer ${cluster.token("alice")}`, "user-agent": "x".repeat(2000) };
    await cluster.fetch(`https://cluster.test${collection}`, { headers });
    expect(cluster.requests.auditEvents()[0]?.["userAgent"]).toBe(`${"x".repeat(1024)}...TRUNCATED`);
  });

  test("can be selected by a scope", async () => {
    await using cluster = createCluster({ controllers: [] });
    await cluster.as("alice").list("v1", "ConfigMap");
    await cluster.as("bob").list("v1", "Secret");
    const events = cluster.requests.auditEvents({ user: "bob" });
    expect(events.map(({ requestURI }) => requestURI)).toEqual(["/api/v1/secrets"]);
  });
});

describe("unserved requests", () => {
  test.each([
    ["an unknown group", "/apis/example.com/v1/widgets", true],
    ["an unknown version", "/apis/apps/v9/deployments", true],
    ["an unknown resource", "/api/v1/widgets", true],
    ["an unknown path", "/favicon.ico", true],
    ["a missing object is not unserved", `${collection}/a`, false],
    ["an existing path is not unserved", "/version", false],
  ])("%s", async (_title, path, isUnserved) => {
    await using cluster = createCluster({ controllers: [] });
    const headers = { authorization: `Bearer ${cluster.token("alice")}` };
    await cluster.fetch(`https://cluster.test${path}`, { headers });
    expect(cluster.requests.unserved.map(({ target }) => target)).toEqual(isUnserved ? [path] : []);
  });
});

test("a test can wait for the response to the next matching request", async () => {
  await using cluster = createCluster({ controllers: [] });
  const alice = cluster.as("alice");
  await alice.list("v1", "ConfigMap");
  const scope = { verb: "list", resource: "configmaps", user: "alice" };
  const asked = [cluster.requests.next(scope), cluster.requests.next({ ...scope, verb: ["get", "list"] })];
  const other = cluster.requests.next({ user: "bob" });
  await alice.list("v1", "Secret");
  await cluster.as("bob").list("v1", "ConfigMap");
  expect(await other).toMatchObject({ user: "bob", status: 200 });
  const [listed] = await Promise.all([alice.list("v1", "ConfigMap", { limit: 1 }), ...asked]);
  expect(listed.kind).toBe("ConfigMapList");
  for (const one of asked) {
    expect(await one).toMatchObject({ target: "/api/v1/configmaps?limit=1", status: 200, user: "alice" });
  }
});

test("a logged request names the fault that hit it", async () => {
  await using cluster = createCluster({ controllers: [] });
  cluster.inject(throttle({ resource: "configmaps" }));
  const alice = cluster.as("alice");
  expect((await refusalOf(alice.list("v1", "ConfigMap"))).code).toBe(429);
  await alice.list("v1", "ConfigMap");
  expect(cluster.requests.all.map(({ status, fault }) => [status, fault])).toEqual([
    [429, "throttle"],
    [200, undefined],
  ]);
});

test("the log keeps the newest 32 MiB of bodies", () => {
  const log = new RequestLog(10, "Request");
  const mebibyte = 1024 * 1024;
  const arrival = { method: "POST", remoteAddress: "", userAgent: "", auditId: "", receivedAt: 0 };
  for (let n = 0; n < 100; n++) {
    const entry = openEntry({ ...arrival, target: `/${n}` });
    log.add(entry);
    log.keepBody(entry, "requestBody", new Uint8Array(5 * mebibyte));
    log.keepBody(entry, "responseBody", new Uint8Array(1 * mebibyte));
  }
  const kept = log.all.filter(({ requestBody }) => requestBody !== undefined);
  expect(kept.map(({ target }) => target)).toEqual(["/95", "/96", "/97", "/98", "/99"]);
});

/** The log of requests from one client whose texts have a megabyte each, and the number of those that it keeps. */
async function longRequests(request: (n: number, text: string) => Promise<unknown>, cluster: Cluster) {
  const text = "x".repeat(1_000_000);
  for (let n = 0; n < 30; n += 1) await request(n, text);
  return cluster.requests.all;
}

test.each<[string, (text: string) => Readonly<Record<string, string>>]>([
  ["user agents", (text) => ({ "user-agent": text })],
  ["audit IDs", (text) => ({ "audit-id": text })],
])("the log forgets the oldest requests if %s are long", async (_title, headersOf) => {
  await using cluster = createCluster({ controllers: [] });
  const ask = (n: number, text: string) =>
    cluster.fetch(`https://cluster.test/version?n=${n}`, { headers: headersOf(text) });
  const kept = await longRequests(ask, cluster);
  expect(kept.length).toBeGreaterThan(5);
  expect(kept.length).toBeLessThan(12);
  expect(kept.at(-1)?.target).toBe("/version?n=29");
});

test("the log forgets the oldest requests if targets are long, and keeps short ones", async () => {
  await using cluster = createCluster({ controllers: [] });
  await cluster.fetch("https://cluster.test/version?short");
  const ask = (n: number, text: string) => cluster.fetch(`https://cluster.test/version?n=${n}&${text}`);
  const kept = await longRequests(ask, cluster);
  expect(kept.length).toBeLessThan(13);
  expect(kept[0]?.target).toBe("/version?short");
  cluster.requests.clear();
  await longRequests(ask, cluster);
  expect(cluster.requests.all.length).toBe(kept.length - 1);
});

test("the log forgets the oldest requests if users have many groups", async () => {
  await using cluster = createCluster({ controllers: [] });
  for (let n = 0; n < 30; n += 1) {
    const groups = Array.from({ length: 10_000 }, (_, i) => `group-${i}`);
    const authorization = `Bearer ${cluster.token(`user-${n}`, { groups })}`;
    await cluster.fetch("https://cluster.test/version", { headers: { authorization } });
  }
  expect(cluster.requests.all.length).toBeLessThan(30);
  expect(cluster.requests.all.at(-1)?.user).toBe("user-29");
});
