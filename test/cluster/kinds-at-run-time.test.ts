import { describe, expect, test } from "vitest";
import { listAt } from "../../src/apimachinery/fields.ts";
import type { JsonObject } from "../../src/apimachinery/json.ts";
import type { Cluster } from "../../src/index.ts";
import { managersOf, partOf, toyCluster, widget, widgets } from "./toy-kinds.ts";

const root = "https://cluster.test";
const aggregated =
  "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;q=0.9";

async function read(cluster: Cluster, path: string, accept = "application/json"): Promise<JsonObject> {
  const response = await cluster.fetch(root + path, { headers: { accept } });
  expect(response.status, path).toBe(200);
  return (await response.json()) as JsonObject;
}

async function statusOf(cluster: Cluster, path: string): Promise<number> {
  const response = await cluster.fetch(root + path);
  await response.text();
  return response.status;
}

async function namesIn(cluster: Cluster, namespace = "default"): Promise<readonly string[]> {
  const { items } = await cluster.list("example.com/v1", "Widget", { namespace });
  return items.map(({ metadata }) => metadata.name ?? "");
}

/** Toy kinds have no controller that deletes their instances and then removes the finalizer. */
async function deleteDefinition(cluster: Cluster): Promise<void> {
  const definition = ["apiextensions.k8s.io/v1", "CustomResourceDefinition", "widgets.example.com"] as const;
  await cluster.delete(...definition);
  await cluster.patch(...definition, { metadata: { finalizers: null } });
}

describe("a kind that is declared at run time", () => {
  test("appears in discovery and disappears again", async () => {
    await using cluster = toyCluster();
    const groupsOf = async () => {
      const { items } = await read(cluster, "/apis", aggregated);
      const { groups } = await read(cluster, "/apis");
      return [
        listAt({ items: items ?? null }, "items").map(({ metadata }) => (metadata as JsonObject)["name"]),
        listAt({ groups: groups ?? null }, "groups").map(({ name }) => name),
      ];
    };
    const before = await groupsOf();
    await cluster.create(widgets());
    expect(await groupsOf()).toEqual(before.map((groups) => [...groups, "example.com"]));
    expect(await read(cluster, "/apis/example.com")).toMatchObject({
      kind: "APIGroup",
      preferredVersion: { groupVersion: "example.com/v1", version: "v1" },
    });
    expect(await read(cluster, "/apis/example.com/v1")).toMatchObject({
      groupVersion: "example.com/v1",
      resources: [
        { name: "widgets", singularName: "widget", namespaced: true, kind: "Widget" },
        { name: "widgets/status", kind: "Widget", verbs: ["get", "patch", "update"] },
      ],
    });
    expect(await read(cluster, "/")).toMatchObject({
      paths: expect.arrayContaining(["/apis/example.com", "/apis/example.com/v1"]),
    });
    await deleteDefinition(cluster);
    expect(await groupsOf()).toEqual(before);
    expect(await statusOf(cluster, "/apis/example.com/v1")).toBe(404);
  });

  test("appears in OpenAPI and disappears again, and the documents of other kinds stay the same", async () => {
    await using cluster = toyCluster();
    const pathsOf = async () => (await read(cluster, "/openapi/v3"))["paths"] as JsonObject;
    const before = await pathsOf();
    const v2Before = (await cluster.fetch(`${root}/openapi/v2`)).headers.get("etag");
    await cluster.create(widgets());
    const { "apis/example.com/v1": declared, ...others } = await pathsOf();
    expect(others).toEqual(before);
    const url = String((declared as JsonObject)["serverRelativeURL"]);
    const v3 = await read(cluster, url);
    expect(partOf(v3, "components", "schemas", "com.example.v1.Widget")).toMatchObject({
      "x-kubernetes-group-version-kind": [{ group: "example.com", kind: "Widget", version: "v1" }],
    });
    expect(
      partOf(v3, "paths", "/apis/example.com/v1/namespaces/{namespace}/widgets/{name}", "patch"),
    ).toMatchObject({ operationId: "patchExampleComV1NamespacedWidget" });
    const v2 = await cluster.fetch(`${root}/openapi/v2`);
    expect(v2.headers.get("etag")).not.toBe(v2Before);
    const { definitions } = (await v2.json()) as { readonly definitions: JsonObject };
    expect(definitions).toHaveProperty(["com.example.v1.WidgetList"]);
    await deleteDefinition(cluster);
    expect(await pathsOf()).toEqual(before);
    expect((await cluster.fetch(`${root}/openapi/v2`)).headers.get("etag")).toBe(v2Before);
  });

  test("is not found before its declaration, with and without an earlier request for it, nor after its deletion", async () => {
    await using cluster = toyCluster();
    const collection = "/apis/example.com/v1/widgets";
    expect(await statusOf(cluster, collection)).toBe(404);
    await expect(cluster.create(widget("a"))).rejects.toThrow(
      "Kubernetes 1.32 does not serve Widget in example.com/v1",
    );
    await cluster.create(widgets());
    expect(await statusOf(cluster, collection)).toBe(200);
    await deleteDefinition(cluster);
    const response = await cluster.fetch(root + collection);
    expect([response.status, await response.text()]).toEqual([404, "404 page not found\n"]);
    await cluster.create(widgets());
    expect(await statusOf(cluster, collection)).toBe(200);
  });

  test("is created, read, listed, updated, patched and deleted", async () => {
    await using cluster = toyCluster();
    await cluster.create(widgets());
    const created = await cluster.create(widget("a", { color: "red", size: 1 }));
    expect(created).toMatchObject({
      metadata: { name: "a" },
      spec: { color: "red", size: 1 },
    });
    expect(await cluster.get("example.com/v1", "Widget", "a")).toEqual(created);
    const updated = await cluster.update({ ...created, spec: { color: "blue", size: 1 } });
    expect(updated).toMatchObject({ spec: { color: "blue" } });
    const patched = await cluster.patch("example.com/v1", "Widget", "a", { spec: { size: 2 } });
    expect(patched).toMatchObject({ spec: { color: "blue", size: 2 } });
    await cluster.update({ ...patched, status: { phase: "Ready" } }, { subresource: "status" });
    expect(await cluster.get("example.com/v1", "Widget", "a")).toMatchObject({ status: { phase: "Ready" } });
    expect(await namesIn(cluster)).toEqual(["a"]);
    await cluster.delete("example.com/v1", "Widget", "a");
    expect(await namesIn(cluster)).toEqual([]);
  });

  test("is applied, with conflicts between managers", async () => {
    await using cluster = toyCluster();
    await cluster.create(widgets());
    await cluster.apply(widget("a", { color: "red", size: 1 }), { fieldManager: "one" });
    await expect(
      cluster.apply(widget("a", { color: "blue" }), { fieldManager: "two" }),
    ).rejects.toMatchObject({
      status: { reason: "Conflict", details: { causes: [{ field: ".spec.color" }] } },
    });
    const forced = await cluster.apply(widget("a", { color: "blue" }), { fieldManager: "two", force: true });
    expect(forced).toMatchObject({ spec: { color: "blue", size: 1 } });
    expect(managersOf(forced)).toEqual(["one", "two"]);
    const reduced = await cluster.apply(widget("a", {}), { fieldManager: "one" });
    expect(reduced["spec"]).toEqual({ color: "blue" });
  });

  test("is shown as a Table", async () => {
    await using cluster = toyCluster();
    await cluster.create(widgets());
    await cluster.create(widget("a"));
    const table = await read(
      cluster,
      "/apis/example.com/v1/namespaces/default/widgets",
      "application/json;as=Table;v=v1;g=meta.k8s.io",
    );
    expect(table).toMatchObject({
      kind: "Table",
      columnDefinitions: [{ name: "Name" }, { name: "Created At" }],
      rows: [{ cells: ["a", expect.any(String)], object: { kind: "PartialObjectMetadata" } }],
    });
  });

  test("is watched until it is no longer served", async () => {
    await using cluster = toyCluster();
    await cluster.create(widgets());
    const response = await cluster.fetch(`${root}/apis/example.com/v1/widgets?watch=true`);
    const text = new Response(response.body).text();
    await cluster.create(widget("a"));
    await cluster.patch("example.com/v1", "Widget", "a", { spec: { size: 3 } });
    await cluster.delete("example.com/v1", "Widget", "a");
    await cluster.settle();
    await deleteDefinition(cluster);
    const events = (await text).trim().split("\n");
    expect(events.map((line) => (JSON.parse(line) as JsonObject)["type"])).toEqual([
      "ADDED",
      "MODIFIED",
      "DELETED",
    ]);
  });

  test("does not end watches of other kinds when it changes", async () => {
    await using cluster = toyCluster();
    await cluster.create(widgets());
    const response = await cluster.fetch(`${root}/api/v1/namespaces/default/configmaps?watch=true`);
    const reader = response.body?.getReader();
    await deleteDefinition(cluster);
    await cluster.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "late" } });
    for (;;) {
      const chunk = await reader?.read();
      expect(chunk?.done).toBe(false);
      if (new TextDecoder().decode(chunk?.value).includes('"late"')) break;
    }
    await reader?.cancel();
  });

  test("is served in several versions, which are converted into each other", async () => {
    await using cluster = toyCluster();
    await cluster.create(widgets(["v1", "v1beta1"], "v1beta1"));
    await cluster.create(widget("a", { color: "red" }));
    const old = await cluster.get("example.com/v1beta1", "Widget", "a");
    expect(old).toMatchObject({ apiVersion: "example.com/v1beta1", spec: { color: "red" } });
    await expect(
      cluster.apply(
        { ...widget("a", { color: "blue" }), apiVersion: "example.com/v1beta1" },
        { fieldManager: "two" },
      ),
    ).rejects.toMatchObject({ status: { reason: "Conflict" } });
    await cluster.patch("apiextensions.k8s.io/v1", "CustomResourceDefinition", "widgets.example.com", [
      { op: "replace", path: "/spec/versions/1/served", value: false },
    ]);
    expect(await statusOf(cluster, "/apis/example.com/v1beta1/widgets")).toBe(404);
    expect(await namesIn(cluster)).toEqual(["a"]);
  });

  test("cannot be sent to the endpoint of another kind", async () => {
    await using cluster = toyCluster();
    await cluster.create(widgets());
    const response = await cluster.fetch(`${root}/api/v1/namespaces/default/configmaps`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(widget("a")),
    });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(
      'no kind \\"Widget\\" is registered for version \\"example.com/v1\\"',
    );
  });
});

describe("the declared kinds of a cluster", () => {
  test("are shared with a fork until one of them changes", async () => {
    await using cluster = toyCluster();
    await cluster.create(widgets());
    await cluster.create(widget("a"));
    await using fork = cluster.fork();
    expect(await namesIn(fork)).toEqual(["a"]);
    await fork.create(widget("b"));
    expect(await namesIn(cluster)).toEqual(["a"]);
    await deleteDefinition(fork);
    expect(await statusOf(fork, "/apis/example.com/v1/widgets")).toBe(404);
    expect(await namesIn(cluster)).toEqual(["a"]);
  });

  test("are restored from a snapshot, and removed by an older one", async () => {
    await using cluster = toyCluster();
    await cluster.settle();
    const without = cluster.snapshot();
    await cluster.create(widgets());
    await cluster.create(widget("a"));
    const saved = cluster.snapshot();
    await deleteDefinition(cluster);
    expect(await statusOf(cluster, "/apis/example.com/v1/widgets")).toBe(404);
    cluster.restore(saved);
    expect(await namesIn(cluster)).toEqual(["a"]);
    cluster.restore(without);
    expect(await statusOf(cluster, "/apis/example.com/v1/widgets")).toBe(404);
  });

  test("are deleted with their namespace", async () => {
    await using cluster = toyCluster();
    await cluster.create(widgets());
    await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "going" } });
    await cluster.settle();
    await cluster.create(widget("a", {}, { namespace: "going" }));
    await cluster.create(widget("b"));
    await cluster.delete("v1", "Namespace", "going");
    await cluster.settle();
    expect(await statusOf(cluster, "/api/v1/namespaces/going")).toBe(404);
    expect(await namesIn(cluster, "")).toEqual(["b"]);
  });

  test("are collected when their owners are deleted, and own other objects", async () => {
    await using cluster = toyCluster();
    await cluster.create(widgets());
    const owner = await cluster.create(widget("owner"));
    const { uid = "" } = owner.metadata;
    const ownerReferences = [{ apiVersion: "example.com/v1", kind: "Widget", name: "owner", uid }];
    await cluster.create(widget("owned", {}, { ownerReferences }));
    const metadata = { name: "owned", namespace: "default", ownerReferences };
    await cluster.create({ apiVersion: "v1", kind: "ConfigMap", metadata });
    await cluster.settle();
    expect(await namesIn(cluster)).toEqual(["owned", "owner"]);
    await cluster.delete("example.com/v1", "Widget", "owner");
    await cluster.settle();
    expect(await namesIn(cluster)).toEqual([]);
    expect(await statusOf(cluster, "/api/v1/namespaces/default/configmaps/owned")).toBe(404);
  });

  test("are found by the garbage collector when they are declared after the reference to them", async () => {
    await using cluster = toyCluster();
    const ownerReferences = [
      {
        apiVersion: "example.com/v1",
        kind: "Widget",
        name: "gone",
        uid: "00000000-0000-0000-0000-000000000001",
      },
    ];
    const metadata = { name: "owned", namespace: "default", ownerReferences };
    await cluster.create({ apiVersion: "v1", kind: "ConfigMap", metadata });
    await cluster.settle();
    expect(await statusOf(cluster, "/api/v1/namespaces/default/configmaps/owned")).toBe(200);
    await cluster.create(widgets());
    await cluster.settle();
    expect(await statusOf(cluster, "/api/v1/namespaces/default/configmaps/owned")).toBe(404);
  });

  test("are counted by quotas and metrics", async () => {
    await using cluster = toyCluster();
    await cluster.create(widgets());
    const hard = { "count/widgets.example.com": "1" };
    await cluster.create({
      apiVersion: "v1",
      kind: "ResourceQuota",
      metadata: { name: "q" },
      spec: { hard },
    });
    await cluster.settle();
    await cluster.create(widget("a"));
    await expect(cluster.create(widget("b"))).rejects.toMatchObject({ status: { reason: "Forbidden" } });
    await cluster.delete("example.com/v1", "Widget", "a");
    await cluster.settle();
    await cluster.create(widget("c"));
    const metrics = await (await cluster.fetch(`${root}/metrics`)).text();
    expect(metrics).toContain('apiserver_storage_objects{resource="widgets.example.com"} 1\n');
  });

  test("can be initial objects of a cluster", async () => {
    await using cluster = toyCluster({ objects: [widgets(), widget("a")] });
    expect(await namesIn(cluster)).toEqual(["a"]);
  });
});
