import { expect, test } from "vitest";
import { createCluster } from "../../src/index.ts";
import { groupDown, storageInitializing } from "../../src/scenario/presets.ts";

const origin = "https://cluster.test";
/** A name of Kubernetes at the start of a word. */
const realName = /(?<![A-Za-z0-9])(kubernetes|k8s\b|kube)/i;
const drivers = "/apis/storage.svc.io/v1/csidrivers";

test.each([
  ["a group", { group: "storage.svc.io" }],
  ["a path", { path: drivers }],
  ["a pattern", { path: /^\/apis\/storage\.svc\.io/ }],
  ["the real group", { group: "storage.k8s.io" }],
  ["a pattern with the real name", { path: /storage\.k8s\.io/ }],
])("a fault strikes the requests of a scope that names %s", async (_what, scope) => {
  await using cluster = createCluster({ identifiers: "svc", controllers: [] });
  const fault = cluster.inject(storageInitializing({ times: 1, ...scope }));
  expect((await cluster.fetch(origin + drivers)).status).toBe(429);
  expect(fault.hits).toBe(1);
  expect((await cluster.fetch(origin + drivers)).status).toBe(200);
});

test("an unused fault says in masked names what would have matched", async () => {
  await using cluster = createCluster({ identifiers: "svc", controllers: [] });
  cluster.inject(storageInitializing({ group: "storage.svc.io", resource: "csinodes" }));
  await cluster.fetch(origin + drivers);
  const check = () => cluster.check();
  expect(check).toThrow(`GET ${drivers} as `);
  expect(check).not.toThrow(realName);
});

test("a group of the API goes down by its masked name", async () => {
  await using cluster = createCluster({ identifiers: "svc", controllers: [] });
  cluster.inject(groupDown({ group: "metrics.svc.io", times: 2 }));
  const response = await cluster.fetch(`${origin}/apis/metrics.svc.io/v1beta1/nodes`);
  expect([response.status, await response.text()]).toEqual([503, "service unavailable\n"]);
  const groups = await (await cluster.fetch(`${origin}/apis`)).text();
  expect(groups).toContain('"metrics.svc.io/v1beta1"');
  expect(groups).not.toMatch(realName);
});

test("the smallest roles, and what is said of given ones, have masked names", async () => {
  await using cluster = createCluster({ identifiers: "svc", controllers: [] });
  const alice = cluster.as("alice", { groups: ["system:masters"] });
  await alice.list("storage.svc.io/v1", "CSIDriver");
  const { yaml, roles } = await cluster.requests.leastPrivilege({ user: "alice" });
  expect(yaml).toContain("storage.svc.io");
  expect(JSON.stringify(roles) + yaml).not.toMatch(realName);
  expect(await cluster.requests.compareRoles(yaml, { user: "alice" })).toMatchObject({
    missing: [],
    unused: [],
  });
});

test("an explanation has masked names, and accepts them", async () => {
  await using cluster = createCluster({ identifiers: "svc", controllers: [] });
  const user = "system:svc-scheduler";
  const wanted = { verb: "list", group: "storage.svc.io", resource: "csidrivers" };
  const explained = await cluster.explain(user, wanted);
  expect(explained.isAllowed).toBe(true);
  expect(JSON.stringify(explained)).not.toMatch(realName);
  await expect(cluster.as(user).list("storage.svc.io/v1", "CSIDriver")).resolves.toMatchObject({ items: [] });
});

test("errors about kinds have masked names", async () => {
  await using cluster = createCluster({ identifiers: "svc", controllers: [] });
  const failed = await cluster.get("storage.svc.io/v9", "CSIDriver", "x").catch((error: Error) => error);
  expect(String(failed)).toContain("storage.svc.io/v9; did you mean storage.svc.io/v1?");
  expect(String(failed)).not.toMatch(realName);
});

test("a corrupt object and a downgrade are named as clients name them", async () => {
  await using cluster = createCluster({
    identifiers: "svc",
    release: "1.31",
    controllers: [],
    featureGates: { DynamicResourceAllocation: true },
    runtimeConfig: { "api/all": true },
  });
  const apiVersion = "resource.svc.io/v1alpha3";
  const spec = { devices: { requests: [{ name: "r", deviceClassName: "d" }] } };
  const metadata = { name: "c", namespace: "svc-public" };
  await cluster.create({ apiVersion, kind: "ResourceClaim", metadata, spec });
  const { unreadable } = await cluster.downgrade("1.30");
  expect(unreadable).toMatchObject([{ apiVersion, kind: "ResourceClaim", namespace: "svc-public" }]);
  expect(JSON.stringify(unreadable)).not.toMatch(realName);
  const lease = {
    apiVersion: "coordination.svc.io/v1",
    kind: "Lease",
    metadata: { name: "l", namespace: "svc-public" },
  };
  await cluster.create(lease);
  await cluster.corrupt("coordination.svc.io/v1", "Lease", "l", { namespace: "svc-public" });
  const response = await cluster.fetch(
    `${origin}/apis/coordination.svc.io/v1/namespaces/svc-public/leases/l`,
  );
  expect(response.status).toBe(500);
  expect(await response.text()).not.toMatch(realName);
});

test("held watches are selected and shown by masked names", async () => {
  await using cluster = createCluster({ identifiers: "svc", controllers: [] });
  await using held = cluster.watches.hold({ group: "coordination.svc.io" });
  const watch = await cluster.fetch(`${origin}/apis/coordination.svc.io/v1/leases?watch=1`);
  expect(cluster.watches.open).toMatchObject([{ group: "coordination.svc.io" }]);
  const metadata = { name: "l", namespace: "svc-public" };
  await cluster.create({ apiVersion: "coordination.svc.io/v1", kind: "Lease", metadata });
  expect(held.waiting).toMatchObject([
    { watch: { path: "/apis/coordination.svc.io/v1/leases" }, namespace: "svc-public", name: "l" },
  ]);
  await watch.body?.cancel();
});

test("a server answers for an APIService with a masked name", async () => {
  await using cluster = createCluster({ identifiers: "svc" });
  await cluster.apiServer("v1beta1.metrics.svc.io", () => Response.json({ kind: "APIResourceList" }));
  const response = await cluster.fetch(`${origin}/apis/metrics.svc.io/v1beta1/nodes`);
  expect([response.status, await response.json()]).toEqual([200, { kind: "APIResourceList" }]);
});
