import { describe, expect, test } from "vitest";
import { listAt, textAt } from "../../src/apimachinery/fields.ts";
import type { JsonObject } from "../../src/apimachinery/json.ts";
import { type Cluster, createCluster } from "../../src/index.ts";

const root = "https://cluster.test";
const definitionKind = ["apiextensions.k8s.io/v1", "CustomResourceDefinition"] as const;

const specSchema = {
  type: "object",
  required: ["color"],
  properties: {
    color: { type: "string", maxLength: 10 },
    size: { type: "integer", default: 1, minimum: 0 },
    tags: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
    parts: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      items: {
        type: "object",
        required: ["name"],
        properties: { name: { type: "string" }, count: { type: "integer" } },
      },
    },
  },
};

const version: JsonObject = {
  name: "v1",
  served: true,
  storage: true,
  schema: {
    openAPIV3Schema: {
      type: "object",
      properties: {
        spec: specSchema,
        status: { type: "object", properties: { phase: { type: "string" }, replicas: { type: "integer" } } },
      },
    },
  },
  subresources: {
    status: {},
    scale: { specReplicasPath: ".spec.size", statusReplicasPath: ".status.replicas" },
  },
  additionalPrinterColumns: [{ name: "Color", type: "string", jsonPath: ".spec.color" }],
  selectableFields: [{ jsonPath: ".spec.color" }],
};

function gadgets(versions: readonly JsonObject[] = [version], names: JsonObject = {}): JsonObject {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "gadgets.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "gadgets", kind: "Gadget", ...names },
      versions,
    },
  };
}

function gadget(name: string, spec: JsonObject = { color: "red" }, metadata: JsonObject = {}): JsonObject {
  return {
    apiVersion: "example.com/v1",
    kind: "Gadget",
    metadata: { name, namespace: "default", ...metadata },
    spec,
  };
}

/** A cluster in which gadgets are established. */
async function withGadgets(...versions: readonly JsonObject[]): Promise<Cluster> {
  const cluster = createCluster();
  await cluster.create(versions.length === 0 ? gadgets() : gadgets(versions));
  await cluster.settle();
  return cluster;
}

async function read(cluster: Cluster, path: string, accept = "application/json"): Promise<JsonObject> {
  const response = await cluster.fetch(root + path, { headers: { accept } });
  const text = await response.text();
  expect([path, response.status, response.status === 200 ? "" : text]).toEqual([path, 200, ""]);
  return JSON.parse(text) as JsonObject;
}

async function statusOf(cluster: Cluster, path: string): Promise<number> {
  const response = await cluster.fetch(root + path);
  await response.text();
  return response.status;
}

const collection = "/apis/example.com/v1/namespaces/default/gadgets";

describe("a CustomResourceDefinition", () => {
  test("is established, and then its resource is served", async () => {
    await using cluster = await withGadgets();
    const definition = await cluster.get(...definitionKind, "gadgets.example.com");
    const conditions = listAt(definition, "status", "conditions").map((one) => [one["type"], one["status"]]);
    expect(conditions).toEqual([
      ["NamesAccepted", "True"],
      ["Established", "True"],
    ]);
    const { resources } = await read(cluster, "/apis/example.com/v1");
    expect(resources).toMatchObject([
      { name: "gadgets" },
      { name: "gadgets/status" },
      { name: "gadgets/scale" },
    ]);
  });

  test("whose names are taken gets them when they become free", async () => {
    await using cluster = await withGadgets();
    const other = gadgets([version], { plural: "others", singular: "other" });
    await cluster.create({ ...other, metadata: { name: "others.example.com" } });
    await cluster.settle();
    expect(await statusOf(cluster, "/apis/example.com/v1/others")).toBe(404);
    await cluster.delete(...definitionKind, "gadgets.example.com");
    await cluster.settle();
    expect(await statusOf(cluster, "/apis/example.com/v1/others")).toBe(200);
  });

  test("is deleted with its instances, after their finalizers", async () => {
    await using cluster = await withGadgets();
    await cluster.create(gadget("a", { color: "red" }, { finalizers: ["example.com/hold"] }));
    await cluster.delete(...definitionKind, "gadgets.example.com");
    await cluster.settle();
    await expect(cluster.create(gadget("b"))).rejects.toThrow(
      "create not allowed while custom resource definition is terminating",
    );
    await cluster.patch("example.com/v1", "Gadget", "a", { metadata: { finalizers: null } });
    await cluster.settle();
    await cluster.clock.advance("10s");
    await cluster.settle();
    expect(
      await statusOf(cluster, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/gadgets.example.com"),
    ).toBe(404);
    expect(await statusOf(cluster, collection)).toBe(404);
  });

  test("and its resources can be initial objects of a cluster", async () => {
    await using cluster = createCluster({ objects: [gadgets(), gadget("a")] });
    expect(await cluster.get("example.com/v1", "Gadget", "a")).toMatchObject({
      spec: { color: "red", size: 1 },
    });
  });

  test("is served by a fork and by a restored snapshot", async () => {
    await using cluster = createCluster();
    await cluster.settle();
    const before = cluster.snapshot();
    await cluster.create(gadgets());
    await cluster.settle();
    await cluster.create(gadget("a"));
    const saved = cluster.snapshot();
    await using fork = cluster.fork();
    await fork.delete("example.com/v1", "Gadget", "a");
    expect(await statusOf(cluster, `${collection}/a`)).toBe(200);
    cluster.restore(before);
    expect(await statusOf(cluster, collection)).toBe(404);
    cluster.restore(saved);
    expect(await statusOf(cluster, `${collection}/a`)).toBe(200);
  });

  test("with several versions converts by the name of the version, and warns of deprecated ones", async () => {
    const old = { ...version, name: "v1beta1", storage: false, deprecated: true };
    await using cluster = await withGadgets(version, old);
    await cluster.create(gadget("a"));
    const response = await cluster.fetch(`${root}/apis/example.com/v1beta1/namespaces/default/gadgets/a`);
    expect(await response.json()).toMatchObject({
      apiVersion: "example.com/v1beta1",
      spec: { color: "red" },
    });
    expect(response.headers.get("warning")).toBe(
      '299 - "example.com/v1beta1 Gadget is deprecated; use example.com/v1 Gadget"',
    );
  });

  test("with a name of a prototype does no harm", async () => {
    const schema = JSON.parse(
      '{"openAPIV3Schema":{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}}}}',
    ) as JsonObject;
    await using cluster = await withGadgets({ name: "v1", served: true, storage: true, schema });
    const sent =
      '{"apiVersion":"example.com/v1","kind":"Gadget","metadata":{"name":"a"},"__proto__":"x","constructor":"y"}';
    const response = await cluster.fetch(root + collection, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: sent,
    });
    const created = await response.json();
    expect(response.status).toBe(201);
    expect(Object.getOwnPropertyDescriptor(created, "__proto__")?.value).toBe("x");
    expect(created).toHaveProperty("constructor", "y");
  });
});

describe("a custom resource", () => {
  test("is created, updated, patched, scaled and deleted, and counts its generation", async () => {
    await using cluster = await withGadgets();
    const created = await cluster.create(gadget("a"));
    expect(created).toMatchObject({ metadata: { generation: 1 }, spec: { color: "red", size: 1 } });
    const updated = await cluster.update({ ...created, spec: { color: "blue" } });
    expect(updated).toMatchObject({ metadata: { generation: 2 }, spec: { color: "blue", size: 1 } });
    const ready = await cluster.update({ ...updated, status: { phase: "Ready" } }, { subresource: "status" });
    expect(ready).toMatchObject({ metadata: { generation: 2 }, status: { phase: "Ready" } });
    const scale = { spec: { replicas: 4 } };
    await cluster.patch("example.com/v1", "Gadget", "a", scale, { subresource: "scale" });
    expect(await cluster.get("example.com/v1", "Gadget", "a")).toMatchObject({
      metadata: { generation: 3 },
      spec: { size: 4 },
      status: { phase: "Ready" },
    });
    await cluster.delete("example.com/v1", "Gadget", "a");
    expect(await statusOf(cluster, `${collection}/a`)).toBe(404);
  });

  test("is applied by the topologies of its schema", async () => {
    await using cluster = await withGadgets();
    const spec = (count: number) => ({ color: "red", parts: [{ name: "x", count }], tags: ["a"] });
    await cluster.apply(gadget("a", spec(1)), { fieldManager: "one" });
    const other = { color: "red", parts: [{ name: "y", count: 2 }], tags: ["b"] };
    const merged = await cluster.apply(gadget("a", other), { fieldManager: "two" });
    expect(merged).toMatchObject({ spec: { parts: [{ name: "x" }, { name: "y" }], tags: ["a", "b"] } });
    await expect(cluster.apply(gadget("a", spec(3)), { fieldManager: "three" })).rejects.toMatchObject({
      status: { reason: "Conflict", details: { causes: [{ field: '.spec.parts[name="x"].count' }] } },
    });
  });

  test("is listed in pages, by selectors, as a Table, in YAML and as metadata", async () => {
    await using cluster = await withGadgets();
    for (const [name, color] of [
      ["a", "red"],
      ["b", "blue"],
      ["c", "red"],
    ] as const) {
      await cluster.create(gadget(name, { color }));
    }
    const page = await read(cluster, `${collection}?limit=2`);
    expect([listAt(page, "items").length, page["kind"]]).toEqual([2, "GadgetList"]);
    const rest = await read(
      cluster,
      `${collection}?limit=2&continue=${textAt(page, "metadata", "continue")}`,
    );
    expect(listAt(rest, "items")).toMatchObject([{ kind: "Gadget", metadata: { name: "c" } }]);
    const blue = await read(cluster, `${collection}?fieldSelector=spec.color=blue`);
    expect(listAt(blue, "items")).toMatchObject([{ metadata: { name: "b" } }]);
    const table = await read(cluster, collection, "application/json;as=Table;v=v1;g=meta.k8s.io");
    expect(table).toMatchObject({
      columnDefinitions: [{ name: "Name" }, { name: "Color" }],
      rows: [{ cells: ["a", "red"] }, { cells: ["b", "blue"] }, { cells: ["c", "red"] }],
    });
    const metadata = await read(
      cluster,
      `${collection}/a`,
      "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
    );
    expect(metadata).toMatchObject({ kind: "PartialObjectMetadata", metadata: { name: "a" } });
    const yaml = await cluster.fetch(`${root}${collection}/a`, { headers: { accept: "application/yaml" } });
    expect(await yaml.text()).toMatch(/^apiVersion: example.com\/v1\nkind: Gadget\nmetadata:\n/);
  });

  test("is watched, and the watch ends with its definition", async () => {
    await using cluster = await withGadgets();
    const response = await cluster.fetch(`${root}/apis/example.com/v1/gadgets?watch=true`);
    const text = new Response(response.body).text();
    await cluster.create(gadget("a"));
    await cluster.patch("example.com/v1", "Gadget", "a", { spec: { size: 3 } });
    await cluster.delete(...definitionKind, "gadgets.example.com");
    await cluster.settle();
    await cluster.clock.advance("10s");
    await cluster.settle();
    const events = (await text).trim().split("\n");
    expect(events.map((line) => (JSON.parse(line) as JsonObject)["type"])).toEqual([
      "ADDED",
      "MODIFIED",
      "DELETED",
    ]);
  });

  test("is collected with its owner, counted by quotas and deleted with its namespace", async () => {
    await using cluster = await withGadgets();
    await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "n" } });
    const hard = { "count/gadgets.example.com": "2" };
    await cluster.create({
      apiVersion: "v1",
      kind: "ResourceQuota",
      metadata: { name: "q", namespace: "n" },
      spec: { hard },
    });
    await cluster.settle();
    const owner = await cluster.create(gadget("owner", { color: "red" }, { namespace: "n" }));
    const { uid = "" } = owner.metadata;
    const ownerReferences = [{ apiVersion: "example.com/v1", kind: "Gadget", name: "owner", uid }];
    await cluster.create(gadget("owned", { color: "red" }, { namespace: "n", ownerReferences }));
    await expect(cluster.create(gadget("c", { color: "red" }, { namespace: "n" }))).rejects.toMatchObject({
      status: { reason: "Forbidden" },
    });
    await cluster.delete("example.com/v1", "Gadget", "owner", { namespace: "n" });
    await cluster.settle();
    expect(await statusOf(cluster, "/apis/example.com/v1/namespaces/n/gadgets/owned")).toBe(404);
    await cluster.create(gadget("last", { color: "red" }, { namespace: "n" }));
    await cluster.delete("v1", "Namespace", "n");
    await cluster.settle();
    expect(await statusOf(cluster, "/api/v1/namespaces/n")).toBe(404);
  });

  test("that became invalid may change elsewhere", async () => {
    await using cluster = await withGadgets();
    await cluster.create(gadget("a", { color: "red", size: 3 }));
    const path = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/size/maximum";
    await cluster.patch(...definitionKind, "gadgets.example.com", [{ op: "add", path, value: 2 }]);
    await cluster.settle();
    await cluster.patch("example.com/v1", "Gadget", "a", { spec: { color: "blue" } });
    await expect(cluster.patch("example.com/v1", "Gadget", "a", { spec: { size: 4 } })).rejects.toThrow(
      "spec.size: Invalid value: 4: spec.size in body should be less than or equal to 2",
    );
  });
});

describe("OpenAPI", () => {
  test("has the paths and the schema of a custom resource, until its definition is deleted", async () => {
    await using cluster = await withGadgets();
    const pathsOf = async () => Object.keys((await read(cluster, "/openapi/v3"))["paths"] ?? {});
    expect(await pathsOf()).toContain("apis/example.com/v1");
    const v3 = await read(cluster, "/openapi/v3/apis/example.com/v1");
    expect(v3).toMatchObject({
      components: { schemas: { "com.example.v1.Gadget": { properties: { spec: specSchema } } } },
    });
    const v2 = await read(cluster, "/openapi/v2");
    expect(v2).toHaveProperty(["definitions", "com.example.v1.GadgetList"]);
    await cluster.delete(...definitionKind, "gadgets.example.com");
    await cluster.settle();
    expect(await pathsOf()).not.toContain("apis/example.com/v1");
  });
});
