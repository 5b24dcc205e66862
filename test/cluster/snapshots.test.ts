import { describe, expect, test } from "vitest";
import { type Cluster, createCluster } from "../../src/index.ts";
import { configMap } from "./manifests.ts";

async function names(cluster: Cluster): Promise<readonly (string | undefined)[]> {
  const { items } = await cluster.list("v1", "ConfigMap", { namespace: "default" });
  return items.map(({ metadata }) => metadata.name).filter((name) => name !== "kube-root-ca.crt");
}

describe("a snapshot", () => {
  test.each([
    ["without controllers", []],
    ["with controllers", ["*"]],
  ] as const)(
    "contains the initial objects if it is taken before the first request, %s",
    async (_title, controllers) => {
      await using cluster = createCluster({ objects: [configMap("first")], controllers });
      const beginning = cluster.snapshot();
      const { metadata } = await cluster.get("v1", "ConfigMap", "first");
      await cluster.create(configMap("second"));
      await cluster.delete("v1", "ConfigMap", "first");
      cluster.restore(beginning);
      expect(await names(cluster)).toEqual(["first"]);
      expect((await cluster.get("v1", "ConfigMap", "first")).metadata.uid).toBe(metadata.uid);
    },
  );

  test("from before the first request can be restored before and after it", async () => {
    await using cluster = createCluster({ objects: [configMap("first")], controllers: [] });
    const early = cluster.snapshot();
    cluster.compact();
    cluster.restore(early);
    const alsoEarly = cluster.snapshot();
    await cluster.create(configMap("second"));
    for (const beginning of [early, alsoEarly]) {
      cluster.restore(beginning);
      expect(await names(cluster)).toEqual(["first"]);
      await cluster.create(configMap("third"));
    }
  });

  test("from before the first request brings its initial objects to another cluster", async () => {
    await using cluster = createCluster({ objects: [configMap("first")], controllers: [] });
    const beginning = cluster.snapshot();
    await cluster.create(configMap("second"));
    await using other = createCluster({ controllers: [] });
    await other.create(configMap("other"));
    other.restore(beginning);
    expect(await names(other)).toEqual(["first"]);
  });

  test("of a fork from before the first request contains the initial objects", async () => {
    await using cluster = createCluster({ objects: [configMap("first")], controllers: [] });
    await using fork = cluster.fork();
    const beginning = fork.snapshot();
    await fork.create(configMap("second"));
    fork.restore(beginning);
    expect(await names(fork)).toEqual(["first"]);
  });

  test("can be restored before the first request", async () => {
    await using cluster = createCluster({ objects: [configMap("first")], controllers: [] });
    cluster.restore(cluster.snapshot());
    expect(await names(cluster)).toEqual(["first"]);
  });

  test("contains exactly the objects at the time it was taken", async () => {
    await using cluster = createCluster({ objects: [configMap("first")], controllers: [] });
    await cluster.create(configMap("second"));
    const two = cluster.snapshot();
    await cluster.create(configMap("third"));
    cluster.restore(two);
    expect(await names(cluster)).toEqual(["first", "second"]);
  });
});
