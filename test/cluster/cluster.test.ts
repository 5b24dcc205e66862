import { describe, expect, test } from "vitest";
import { createCluster } from "../../src/index.ts";

describe("before the first request", () => {
  test.each([
    ["a release that there is not", { release: "2.0" }],
    ["a range that is none", { serviceClusterIpRange: "10.0.0.0" }],
    ["ports that are none", { serviceNodePortRange: "none" }],
    ["an API that there is not", { runtimeConfig: new Map([["apps/v9", true]]) }],
  ])("%s is an error at once", (_title, options) => {
    expect(() => createCluster(options)).toThrow(Error);
  });

  test("a fork has what its cluster has", async () => {
    const cluster = createCluster({ controllers: [] });
    const fork = cluster.fork();
    const [original, copy] = await Promise.all([cluster, fork].map((one) => one.list("v1", "Namespace")));
    expect(original?.items.map(({ metadata }) => metadata.name)).toContain("kube-system");
    expect(copy?.items).toEqual(original?.items);
  });

  const objects = [{ apiVersion: "v1", kind: "Namespace", metadata: { name: "given" } }];

  test("a fork is given what its cluster was given", async () => {
    const cluster = createCluster({ controllers: [], objects });
    const early = cluster.fork();
    await cluster.settle();
    for (const one of [early, cluster.fork()]) {
      expect((await one.get("v1", "Namespace", "given")).metadata.name).toBe("given");
    }
  });

  test("a cluster has settled when it has what it was given", async () => {
    const cluster = createCluster({ objects });
    await cluster.settle();
    const copy = cluster.fork();
    await copy.delete("v1", "Namespace", "given");
    await copy.settle();
    const { items } = await copy.list("v1", "Namespace");
    expect(items.map(({ metadata }) => metadata.name)).not.toContain("given");
  });

  test("a snapshot holds the beginning", async () => {
    const cluster = createCluster({ controllers: [] });
    const beginning = cluster.snapshot();
    const namespaces = await cluster.list("v1", "Namespace");
    await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "later" } });
    cluster.restore(beginning);
    expect(await cluster.list("v1", "Namespace")).toEqual(namespaces);
  });

  test("history can be forgotten", async () => {
    const cluster = createCluster({ controllers: [] });
    cluster.compact();
    const watch = await cluster.fetch("https://cluster.test/api/v1/namespaces?watch=true&resourceVersion=1");
    expect(await watch.text()).toContain(`"code":410`);
  });

  test("requests that come together are all answered", async () => {
    const cluster = createCluster({ controllers: [] });
    const names = ["a", "b", "c"];
    const made = names.map((name) =>
      cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name } }),
    );
    const revisions = (await Promise.all(made)).map(({ metadata }) => Number(metadata.resourceVersion));
    expect(revisions).toEqual(revisions.toSorted((a, b) => a - b));
  });

  test("a cluster that is closed starts no controllers", async () => {
    const cluster = createCluster();
    await cluster.close();
    await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "new" } });
    await cluster.settle();
    expect((await cluster.list("v1", "ServiceAccount", { namespace: "new" })).items).toEqual([]);
  });
});
