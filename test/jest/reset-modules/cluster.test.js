const { createCluster } = require("kubedouble");
const { laggingReplica, reset, throttle } = require("kubedouble/scenarios");

// Created before Jest resets the modules, which happens before each test, and used after it: the server has other
// module instances than the cluster.
const cluster = createCluster();
const headers = { authorization: `Bearer ${cluster.adminToken()}`, "content-type": "application/json" };
const ask = (path, init) => cluster.fetch(`https://cluster.test${path}`, { ...init, headers });

afterAll(() => cluster.close());

test("a list of a compacted revision is refused as expired", async () => {
  cluster.compact();
  await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "later" } });
  const response = await ask("/api/v1/namespaces?resourceVersion=1&resourceVersionMatch=Exact");
  expect(await response.json()).toMatchObject({ code: 410, reason: "Expired" });
});

test("a watch from a compacted revision ends with an error event", async () => {
  cluster.compact();
  const response = await ask("/api/v1/namespaces?watch=true&resourceVersion=1");
  expect(JSON.parse(await response.text())).toMatchObject({ type: "ERROR", object: { code: 410 } });
});

test("a too large body is refused", async () => {
  const response = await ask("/api/v1/namespaces", { method: "POST", body: "x".repeat(4 << 20) });
  expect(response.status).toBe(413);
});

test("a fork answers", async () => {
  const { metadata } = await cluster.get("v1", "Namespace", "default");
  const fork = cluster.fork();
  expect((await fork.get("v1", "Namespace", "default")).metadata.uid).toBe(metadata.uid);
  await fork.close();
});

test("failures on demand work", async () => {
  cluster.inject(throttle());
  expect((await ask("/api/v1/namespaces")).status).toBe(429);
  cluster.inject(reset({ verb: "list" }));
  await expect(ask("/api/v1/namespaces")).rejects.toMatchObject({ cause: { code: "ECONNRESET" } });
  const fault = cluster.inject(laggingReplica());
  await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "unseen" } });
  expect((await ask("/api/v1/namespaces/unseen?resourceVersion=0")).status).toBe(404);
  fault.remove();
});

test.each([
  ["apps/v1", "deployments", { kind: "Deployment", spec: { replicas: -1 } }],
  ["v1", "services", { kind: "Service", spec: { ports: [{ port: 70_000 }] } }],
  ["v1", "resourcequotas", { kind: "ResourceQuota", spec: { hard: { pods: "x" } } }],
])(
  "the rules of a kind that is first written after a reset of modules refuse invalid %s %s",
  async (apiVersion, resource, object) => {
    const prefix = apiVersion === "v1" ? "/api/v1" : `/apis/${apiVersion}`;
    const body = JSON.stringify({ apiVersion, metadata: { name: "a" }, ...object });
    const response = await ask(`${prefix}/namespaces/default/${resource}`, { method: "POST", body });
    const refusal = await response.json();
    expect([refusal.status, refusal.reason]).toEqual([
      "Failure",
      resource === "resourcequotas" ? "BadRequest" : "Invalid",
    ]);
  },
);
