import { describe, expect, test } from "vitest";
import { turn } from "../../src/apimachinery/clock.ts";
import { type AuditEvent, type ClusterOptions, createCluster } from "../../src/index.ts";
import { openEntry } from "../../src/scenario/logged-request.ts";
import { throttle } from "../../src/scenario/presets.ts";
import { RequestLog } from "../../src/scenario/request-log.ts";
import { configMap, refusalOf } from "./manifests.ts";

const collection = "/api/v1/namespaces/default/configmaps";

/** What a cluster notes down while Alice asks. */
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
  test("says who asked for what, when, and what came of it", async () => {
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

  test("has the status that refused it", async () => {
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

  test("says that it was forbidden", async () => {
    const [event] = await audited({ authorizationMode: "RBAC" }, ["DELETE", `${collection}/a`]);
    expect(event).toMatchObject({
      verb: "delete",
      responseStatus: { reason: "Forbidden", code: 403 },
      annotations: { "authorization.k8s.io/decision": "forbid" },
    });
  });

  test("knows of no user whose token nobody accepts", async () => {
    await using cluster = createCluster({ controllers: [] });
    await cluster.fetch(`https://cluster.test${collection}`, { headers: { authorization: "Bearer wrong" } });
    expect(cluster.requests.auditEvents()[0]).toMatchObject({
      stage: "ResponseStarted",
      user: {},
      responseStatus: { metadata: {}, message: "Authentication failed, attempted: bearer", code: 401 },
    });
  });

  test("says that a watch has begun, and that what has not been answered was received", async () => {
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

  test("has no object for what is no resource", async () => {
    const [event] = await audited({}, ["GET", "/version"]);
    expect(event).toMatchObject({ verb: "get", requestURI: "/version" });
    expect(event).not.toHaveProperty("objectRef");
  });

  test("says that an API is deprecated, and when it goes", async () => {
    const path = "/apis/batch/v1beta1/namespaces/default/cronjobs";
    const [event] = await audited({ release: "1.24" }, ["GET", path]);
    expect(event?.["annotations"]).toMatchObject({
      "k8s.io/deprecated": "true",
      "k8s.io/removed-release": "1.25",
    });
  });

  test("at the level Request has what was sent, and whom that names", async () => {
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

  test("at the level RequestResponse has what was answered as well, unless it is a stream", async () => {
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

  test("cuts off the name of a client that is too long", async () => {
    await using cluster = createCluster({ controllers: [] });
    const headers = { authorization: `Bearer ${cluster.token("alice")}`, "user-agent": "x".repeat(2000) };
    await cluster.fetch(`https://cluster.test${collection}`, { headers });
    expect(cluster.requests.auditEvents()[0]?.["userAgent"]).toBe(`${"x".repeat(1024)}...TRUNCATED`);
  });

  test("is that of one request, if a scope names it", async () => {
    await using cluster = createCluster({ controllers: [] });
    await cluster.as("alice").list("v1", "ConfigMap");
    await cluster.as("bob").list("v1", "Secret");
    const events = cluster.requests.auditEvents({ user: "bob" });
    expect(events.map(({ requestURI }) => requestURI)).toEqual(["/api/v1/secrets"]);
  });
});

describe("what nothing serves", () => {
  test.each([
    ["a group that is not there", "/apis/example.com/v1/widgets", true],
    ["a version that is not there", "/apis/apps/v9/deployments", true],
    ["a resource that is not there", "/api/v1/widgets", true],
    ["a path of nobody", "/favicon.ico", true],
    ["an object that is missing", `${collection}/a`, false],
    ["what is there", "/version", false],
  ])("%s", async (_title, path, isUnserved) => {
    await using cluster = createCluster({ controllers: [] });
    const headers = { authorization: `Bearer ${cluster.token("alice")}` };
    await cluster.fetch(`https://cluster.test${path}`, { headers });
    expect(cluster.requests.unserved.map(({ target }) => target)).toEqual(isUnserved ? [path] : []);
  });
});

test("the next request that is meant can be awaited, until it is answered", async () => {
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

test("a request knows the fault that struck it", async () => {
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

test("of bodies the newest 32 MiB are kept", () => {
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
