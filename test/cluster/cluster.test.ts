import { describe, expect, test } from "vitest";
import { createCluster } from "../../src/index.ts";

describe("before the first request", () => {
  test.each([
    ["an unknown release", { release: "2.0" }],
    ["an invalid address range", { serviceClusterIpRange: "10.0.0.0" }],
    ["an invalid port range", { serviceNodePortRange: "none" }],
    ["an unknown API", { runtimeConfig: new Map([["apps/v9", true]]) }],
  ])("%s is an immediate error", (_title, options) => {
    expect(() => createCluster(options)).toThrow(Error);
  });

  test("a fork has the objects of its cluster", async () => {
    const cluster = createCluster({ controllers: [] });
    const fork = cluster.fork();
    const [original, copy] = await Promise.all([cluster, fork].map((one) => one.list("v1", "Namespace")));
    expect(original?.items.map(({ metadata }) => metadata.name)).toContain("kube-system");
    expect(copy?.items).toEqual(original?.items);
  });

  const objects = [{ apiVersion: "v1", kind: "Namespace", metadata: { name: "given" } }];

  test("a fork has the initial objects of its cluster", async () => {
    const cluster = createCluster({ controllers: [], objects });
    const early = cluster.fork();
    await cluster.settle();
    for (const one of [early, cluster.fork()]) {
      expect((await one.get("v1", "Namespace", "given")).metadata.name).toBe("given");
    }
  });

  test("a cluster has settled when it contains its initial objects", async () => {
    const cluster = createCluster({ objects });
    await cluster.settle();
    const copy = cluster.fork();
    await copy.delete("v1", "Namespace", "given");
    await copy.settle();
    const { items } = await copy.list("v1", "Namespace");
    expect(items.map(({ metadata }) => metadata.name)).not.toContain("given");
  });

  test("a snapshot contains the initial state", async () => {
    const cluster = createCluster({ controllers: [] });
    const beginning = cluster.snapshot();
    const namespaces = await cluster.list("v1", "Namespace");
    await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "later" } });
    cluster.restore(beginning);
    expect(await cluster.list("v1", "Namespace")).toEqual(namespaces);
  });

  test("history can be compacted", async () => {
    const cluster = createCluster({ controllers: [] });
    cluster.compact();
    const watch = await cluster.fetch("https://cluster.test/api/v1/namespaces?watch=true&resourceVersion=1");
    expect(await watch.text()).toContain(`"code":410`);
  });

  test("concurrent requests are all answered", async () => {
    const cluster = createCluster({ controllers: [] });
    const names = ["a", "b", "c"];
    const made = names.map((name) =>
      cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name } }),
    );
    const revisions = (await Promise.all(made)).map(({ metadata }) => Number(metadata.resourceVersion));
    expect(revisions).toEqual(revisions.toSorted((a, b) => a - b));
  });

  test("a closed cluster starts no controllers", async () => {
    const cluster = createCluster();
    await cluster.close();
    await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "new" } });
    await cluster.settle();
    expect((await cluster.list("v1", "ServiceAccount", { namespace: "new" })).items).toEqual([]);
  });
});
