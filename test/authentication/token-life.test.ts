import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { tokenExpired, unauthorizedOnce } from "../../src/scenario/presets.ts";
import { type Serving, serve } from "../../src/transports/node/serve.ts";
import { Lines } from "../conformance/lines.ts";
import { clients, whoIs } from "./clients.ts";
import { createWorld, methods, type World } from "./methods.ts";

const world: World = createWorld();
const { cluster } = world;
const [, ask] = clients[0] ?? expect.fail("no client");
let serving: Serving;
beforeAll(async () => {
  serving = await serve(cluster);
  // Everyone who is authenticated may read.
  await cluster.create({
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRoleBinding",
    metadata: { name: "readers" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: "system:authenticated" }],
  });
});
afterAll(async () => {
  await serving.close();
  await cluster.close();
});
beforeEach(() => world.trust(world.authority));

const configMaps = "/api/v1/namespaces/default/configmaps";

async function reviewOf(token: string): Promise<unknown> {
  const metadata = { name: "" };
  const review = { apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", metadata, spec: { token } };
  return (await cluster.create(review)).status;
}

describe.each(Object.entries(methods))("%s that a scenario makes expire", (_name, method) => {
  test("is refused by every request and review until the scenario ends", async () => {
    const credentials = await method.right(world);
    expect(await whoIs(ask, serving, credentials)).toMatchObject({ username: method.username });
    const fault = cluster.inject(tokenExpired({ resource: "configmaps", user: method.username }));
    expect(await whoIs(ask, serving, credentials), "not yet").toMatchObject({ username: method.username });
    expect(await ask(serving, configMaps, credentials)).toMatchObject({
      status: 401,
      body: { message: "Unauthorized" },
    });
    expect(await whoIs(ask, serving, credentials)).toBe(401);
    expect(fault.hits).toBe(2);
    if (credentials.token !== undefined) {
      expect(await reviewOf(credentials.token)).toEqual({
        user: {},
        error: "[invalid bearer token, token has expired]",
      });
    }
    expect(await whoIs(ask, serving, { token: cluster.token("other") })).toMatchObject({ username: "other" });
    expect(cluster.requests.matching({ verb: "list", resource: "configmaps" }).at(-1)?.fault).toBe(
      "tokenExpired",
    );
    fault.remove();
    expect(await whoIs(ask, serving, credentials)).toMatchObject({ username: method.username });
  });

  test("answers one 401 and is accepted then, with times: 1 as with unauthorizedOnce", async () => {
    const credentials = await method.right(world);
    for (const scenario of [tokenExpired({ times: 1 }), unauthorizedOnce()]) {
      cluster.inject(scenario);
      expect(await whoIs(ask, serving, credentials)).toBe(401);
      expect(await whoIs(ask, serving, credentials)).toMatchObject({ username: method.username });
    }
    cluster.faults.check();
  });
});

test("anonymous requests have no credentials that could expire", async () => {
  const fault = cluster.inject(tokenExpired());
  expect(await whoIs(ask, serving, {})).toBe(403);
  expect(fault.unaffected.map(({ reason }) => reason)).toEqual(["it has no credentials that could expire"]);
  fault.remove();
  expect(() => cluster.faults.check()).toThrow("it has no credentials that could expire");
});

test("the cluster's own methods go on when the administrator's token has expired for clients", async () => {
  const fault = cluster.inject(tokenExpired());
  const token = cluster.adminToken();
  expect(await whoIs(ask, serving, { token })).toBe(401);
  expect((await cluster.get("v1", "Namespace", "default")).kind).toBe("Namespace");
  fault.remove();
});

test("a token can have an end, and a fork its own time", async () => {
  const token = cluster.token("alice", { groups: ["dev"], uid: "7", expirationSeconds: 1 });
  expect(await whoIs(ask, serving, { token })).toMatchObject({ username: "alice", uid: "7" });
  await cluster.clock.advance(999);
  expect(await whoIs(ask, serving, { token })).toMatchObject({ username: "alice" });
  await cluster.clock.advance(1);
  expect(await whoIs(ask, serving, { token })).toBe(401);
  expect(() => cluster.token("alice", { expirationSeconds: -1 })).toThrow(
    "user options: expirationSeconds must be a number of at least 0, not -1",
  );
});

test("an open watch outlives its token, and the next one needs another", async () => {
  const send = (token: string, query: string) =>
    cluster.fetch(`https://x${configMaps}${query}`, { headers: { authorization: `Bearer ${token}` } });
  const query = "?watch=1&fieldSelector=metadata.name%3Dafter";
  const old = cluster.token("alice", { expirationSeconds: 60 });
  const watch = new Lines(await send(old, query));
  await cluster.clock.advance("61s");
  await cluster.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "after" } });
  expect(await watch.take(1)).toEqual(["ADDED after"]);
  expect((await send(old, query)).status).toBe(401);
  expect(await new Lines(await send(cluster.token("alice"), query)).take(1)).toEqual(["ADDED after"]);
});
