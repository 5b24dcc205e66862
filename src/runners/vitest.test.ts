import { existsSync, readFileSync } from "node:fs";
import { describe } from "vitest";
import type { Cluster } from "../index.ts";
import { throttle } from "../scenario/presets.ts";
import { clusterTest, expect, test } from "./vitest.ts";

const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { color: "blue" } };

describe("a test's cluster", () => {
  test("is ready", async ({ cluster }) => {
    await cluster.create(configMap);
    await expect(cluster).toHaveObject(configMap);
  });

  test("is its own", async ({ cluster }) => {
    await expect(cluster).not.toHaveObject(configMap);
  });

  const prepared = clusterTest({ controllers: [], prepare: (cluster) => cluster.create(configMap) });

  for (const time of ["first", "second"]) {
    prepared(`is as it was prepared, the ${time} time`, async ({ cluster }) => {
      await expect(cluster).toHaveObject(configMap);
      await cluster.delete("v1", "ConfigMap", "a");
    });
  }

  test("stands on a port", async ({ server, kubeconfig }) => {
    expect(readFileSync(kubeconfig, "utf8")).toContain(server.url);
  });

  let last = "";
  test("has a kubeconfig", ({ kubeconfig }) => {
    last = kubeconfig;
    expect(existsSync(last)).toBe(true);
  });
  test("leaves none behind", () => {
    expect(existsSync(last)).toBe(false);
  });

  test.fails("fails a test whose fault never struck", ({ cluster }) => {
    cluster.inject(throttle({ verb: "list", resource: "pods" }));
  });
});

describe("what clients should not ask for", () => {
  const ask = (cluster: Cluster, path: string) =>
    cluster.fetch(`https://cluster.test${path}`, {
      headers: { authorization: `Bearer ${cluster.token("alice")}` },
    });

  test.fails("fails a test: a path that nothing serves", async ({ cluster }) => {
    await ask(cluster, "/apis/example.com/v1/widgets");
  });

  const lenient = clusterTest({ allowUnserved: [/^\/apis\/example\.com\//] });
  lenient("may be allowed", async ({ cluster }) => {
    const { status } = await ask(cluster, "/apis/example.com/v1/widgets");
    expect(status).toBe(404);
  });

  test("is told with the faults that never struck, by who asks for both", async ({ cluster }) => {
    cluster.inject(throttle({ verb: "list", resource: "pods" }));
    await ask(cluster, "/apis/example.com/v1/widgets");
    expect(() => cluster.check()).toThrow(
      /The fault throttle never struck[\s\S]*nothing in Kubernetes 1.32 serves that/,
    );
    cluster.requests.clear();
  });
});

describe("toHaveObject", () => {
  test("tells what differs", async ({ cluster }) => {
    await cluster.create(configMap);
    const other = { ...configMap, data: { color: "red" } };
    await expect(expect(cluster).toHaveObject(other)).rejects.toThrow(
      'ConfigMap default/a is not like that:\n  data.color is "blue", and should be "red"',
    );
  });

  test("takes matchers for fields", async ({ cluster }) => {
    await cluster.create(configMap);
    const metadata = { name: "a", uid: expect.stringMatching(/^[0-9a-f-]{36}$/) };
    await expect(cluster).toHaveObject({ ...configMap, metadata });
    const other = { ...configMap, data: { color: expect.stringContaining("red") } };
    await expect(expect(cluster).toHaveObject(other)).rejects.toThrow(
      'data.color is "blue", and should be StringContaining "red"',
    );
  });

  test("tells that there is none", async ({ cluster }) => {
    await expect(expect(cluster).toHaveObject(configMap)).rejects.toThrow(
      "The cluster has no ConfigMap default/a (v1)",
    );
  });
});

describe("toHaveRequested", () => {
  const list = { verb: "list", resource: "configmaps" };

  test("shows the request that came nearest", async ({ cluster }) => {
    await cluster.as("alice").list("v1", "ConfigMap");
    expect(() => expect(cluster).toHaveRequested({ ...list, user: "bob", path: /configmaps$/ })).toThrow(
      "it was 0 times.\nThe nearest differs in user:\n  GET /api/v1/configmaps 200 alice",
    );
  });

  test("says that nobody asked", ({ cluster }) => {
    expect(() => expect(cluster).toHaveRequested(list)).toThrow("No client has asked for anything.");
  });

  test("counts what clients asked, and not what the test did", async ({ cluster }) => {
    await cluster.list("v1", "ConfigMap");
    expect(cluster).not.toHaveRequested(list);
    for (let n = 0; n < 2; n++) await cluster.as("alice").list("v1", "ConfigMap", { namespace: "default" });
    expect(cluster).toHaveRequested(list);
    expect(cluster).toHaveRequested({ ...list, user: "alice" }, 2);
    expect(() => expect(cluster).toHaveRequested(list, 3)).toThrow(
      '{"verb":"list","resource":"configmaps"} should have been asked for 3 times; it was 2 times.\n' +
        "The newest requests:\n" +
        "  GET /api/v1/namespaces/default/configmaps 200 alice\n" +
        "  GET /api/v1/namespaces/default/configmaps 200 alice",
    );
  });
});
