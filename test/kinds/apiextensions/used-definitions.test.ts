import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { textAt } from "../../../src/apimachinery/fields.ts";
import { type Cluster, createCluster } from "../../../src/index.ts";
import { usedDefinitions } from "./used-definitions.ts";

let cluster: Cluster;

beforeAll(async () => {
  cluster = createCluster();
  await cluster.load([
    ...usedDefinitions.map(({ definition }) => definition),
    ...usedDefinitions.map(({ instance }) => instance),
  ]);
  await cluster.settle();
});

afterAll(() => cluster.close());

describe("definitions like those of", () => {
  test.each(usedDefinitions)("$project work as they are", async ({ instance, completed }) => {
    const apiVersion = textAt(instance, "apiVersion");
    const kind = textAt(instance, "kind");
    const read = await cluster.get(apiVersion, kind, "one");
    expect(read["spec"]).toEqual(completed);
    const patched = await cluster.patch(apiVersion, kind, "one", {
      metadata: { labels: { a: "b" } },
      unknown: 1,
    });
    expect(patched).toMatchObject({ metadata: { generation: 1, labels: { a: "b" } }, spec: completed });
    expect(patched).not.toHaveProperty("unknown");
  });

  test("Gateway API evaluate their rules", async () => {
    await expect(
      cluster.patch("gateway.example.k8s.io/v1", "HTTPRoute", "one", { spec: { second: "a" } }),
    ).rejects.toThrow("first and second must differ, rule 1");
  });

  test("Crossplane check the type and metadata of embedded resources", async () => {
    const base = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a/b" } };
    await expect(
      cluster.patch("crossplane.example/v1", "Composition", "one", { spec: { resources: [{ base }] } }),
    ).rejects.toThrow('spec.resources[0].base.metadata.name: Invalid value: "a/b"');
  });
});
