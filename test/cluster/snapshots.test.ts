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
