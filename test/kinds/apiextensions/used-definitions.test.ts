import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listAt, structAt, textAt } from "../../../src/apimachinery/fields.ts";
import { isJsonObject, type JsonObject } from "../../../src/apimachinery/json.ts";
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

/** How many nodes a schema has. */
function fieldsOf(schema: JsonObject): number {
  const parts = [
    ...Object.values(structAt(schema, "properties")),
    schema["items"],
    schema["additionalProperties"],
  ];
  return parts.reduce<number>((sum, part) => (isJsonObject(part) ? sum + fieldsOf(part) : sum), 1);
}

test("the definitions are as many and as large as those that people install", () => {
  const schemas = usedDefinitions.map(({ definition }) => {
    const [version = {}] = listAt(definition, "spec", "versions");
    return structAt(version, "schema", "openAPIV3Schema");
  });
  const rules = schemas.map(
    (schema) => listAt(schema, "properties", "spec", "x-kubernetes-validations").length,
  );
  const bytes = usedDefinitions.map(({ definition }) => JSON.stringify(definition).length);
  expect(usedDefinitions).toHaveLength(20);
  expect(Math.max(...schemas.map(fieldsOf))).toBeGreaterThan(4000);
  expect(Math.max(...rules)).toBe(60);
  expect(Math.max(...bytes)).toBeGreaterThan(1_000_000);
});

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
