import { describe, expect, test } from "vitest";
import { listAt, structAt } from "../../../src/apimachinery/fields.ts";
import type { JsonObject } from "../../../src/apimachinery/json.ts";
import { type Cluster, createCluster } from "../../../src/index.ts";
import {
  definitionKind,
  eventsOf,
  gadget,
  gadgetDefinition,
  gadgetsName,
  gadgetsPath,
  gadgetVersion,
  root,
  send,
} from "./gadgets.ts";

const text = { type: "string" };
const specOf = (properties: JsonObject): JsonObject => ({ type: "object", properties });

async function withGadgets(properties: JsonObject): Promise<Cluster> {
  const cluster = createCluster();
  await cluster.create(gadgetDefinition([gadgetVersion("v1", specOf(properties))]));
  await cluster.settle();
  return cluster;
}

async function redefine(cluster: Cluster, spec: JsonObject): Promise<void> {
  await cluster.patch(...definitionKind, gadgetsName, { spec: { versions: [gadgetVersion("v1", spec)] } });
  await cluster.settle();
}

describe("a default that a definition gets later", () => {
  test("appears in gets, lists, Tables, watches and their answers, and in the next write", async () => {
    await using cluster = await withGadgets({ color: text, size: { type: "integer" } });
    await cluster.create(gadget("a", { color: "red" }));
    await cluster.create(gadget("b", { color: "red", size: 7 }));
    const before = await send(cluster, "GET", gadgetsPath("v1", "a"));
    await redefine(cluster, specOf({ color: text, size: { type: "integer", default: 3 } }));
    const got = await send(cluster, "GET", gadgetsPath("v1", "a"));
    expect(got.body).toMatchObject({
      spec: { color: "red", size: 3 },
      metadata: before.body["metadata"] as JsonObject,
    });
    const { body } = await send(cluster, "GET", gadgetsPath("v1"));
    expect(listAt(body, "items").map((one) => structAt(one, "spec")["size"])).toEqual([3, 7]);
    for await (const { object } of cluster.watch("example.com/v1", "Gadget")) {
      expect(object["spec"]).toEqual({ color: "red", size: 3 });
      break;
    }
    const rows = await cluster.fetch(`${root}${gadgetsPath("v1")}?includeObject=Object`, {
      headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" },
    });
    expect(JSON.parse(await rows.text()).rows[0].object.spec).toEqual({ color: "red", size: 3 });
    // Without the default, the object has only what was written since.
    const labeled = await send(
      cluster,
      "PATCH",
      gadgetsPath("v1", "a"),
      { metadata: { labels: { a: "b" } } },
      "application/merge-patch+json",
    );
    expect(labeled.body["metadata"]).toMatchObject({ generation: 1 });
    await redefine(cluster, specOf({ color: text, size: { type: "integer" } }));
    expect((await send(cluster, "GET", gadgetsPath("v1", "a"))).body["spec"]).toEqual({
      color: "red",
      size: 3,
    });
  });

  test("of a whole field of the object is no part of bookmarks", async () => {
    await using cluster = await withGadgets({ color: text });
    await cluster.create({
      apiVersion: "example.com/v1",
      kind: "Gadget",
      metadata: { name: "a", namespace: "default" },
    });
    await redefine(cluster, { ...specOf({ color: { ...text, default: "blue" } }), default: {} });
    expect((await send(cluster, "GET", gadgetsPath("v1", "a"))).body["spec"]).toEqual({ color: "blue" });
    const query =
      "watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=1";
    const [added, bookmark] = await eventsOf(cluster, `${gadgetsPath("v1")}?${query}`, 2);
    expect(added).toMatchObject({ type: "ADDED", object: { spec: { color: "blue" } } });
    expect(Object.keys(structAt(bookmark ?? {}, "object")).sort()).toEqual([
      "apiVersion",
      "kind",
      "metadata",
    ]);
  });
});

test("a field that a definition loses is not read any more, and comes back with it", async () => {
  await using cluster = await withGadgets({ color: text, size: { type: "integer" } });
  await cluster.create(gadget("a", { color: "red", size: 7 }));
  await redefine(cluster, specOf({ color: text }));
  expect((await send(cluster, "GET", gadgetsPath("v1", "a"))).body["spec"]).toEqual({ color: "red" });
  await redefine(cluster, specOf({ color: text, size: { type: "integer" } }));
  expect((await send(cluster, "GET", gadgetsPath("v1", "a"))).body["spec"]).toEqual({
    color: "red",
    size: 7,
  });
});

test("an object of an earlier storage version is read in the present one, and its version stays in storedVersions", async () => {
  await using cluster = createCluster();
  const spec = specOf({ color: text });
  const versions = (stored: string) =>
    ["v1", "v2"].map((name) => ({ ...gadgetVersion(name, spec), storage: name === stored }));
  await cluster.create(gadgetDefinition(versions("v1")));
  await cluster.settle();
  await cluster.create(gadget("a", { color: "red" }));
  await cluster.patch(...definitionKind, gadgetsName, { spec: { versions: versions("v2") } });
  await cluster.settle();
  for (const version of ["v1", "v2"]) {
    const { body } = await send(cluster, "GET", gadgetsPath(version));
    expect(listAt(body, "items")).toMatchObject([
      { apiVersion: `example.com/${version}`, spec: { color: "red" } },
    ]);
    expect((await send(cluster, "GET", gadgetsPath(version, "a"))).body).toMatchObject({
      spec: { color: "red" },
    });
  }
  const definition = await cluster.get(...definitionKind, gadgetsName);
  expect(structAt(definition, "status")["storedVersions"]).toEqual(["v1", "v2"]);
});

test.each(["Foreground", "Orphan"] as const)(
  "an owner that is stored in a version that is not served is deleted: %s",
  async (propagationPolicy) => {
    await using cluster = createCluster();
    const hidden = gadgetVersion("v1", specOf({}), { served: false });
    await cluster.create(gadgetDefinition([hidden, gadgetVersion("v2", specOf({}))]));
    await cluster.settle();
    const { metadata } = await cluster.create(gadget("owner", {}, "v2"));
    const owner = { apiVersion: "example.com/v2", kind: "Gadget", name: "owner", uid: metadata.uid ?? "" };
    const ownerReferences = [{ ...owner, blockOwnerDeletion: true }];
    await cluster.create(gadget("dependent", {}, "v2", { ownerReferences }));
    await cluster.delete("example.com/v2", "Gadget", "owner", { propagationPolicy });
    await cluster.settle();
    const { items } = await cluster.list("example.com/v2", "Gadget");
    const left = items.map((one) => [one.metadata.name, one.metadata.ownerReferences]);
    expect(left).toEqual(propagationPolicy === "Orphan" ? [["dependent", undefined]] : []);
  },
);

test("definitions and their instances live on in forks, snapshots and restored clusters", async () => {
  await using cluster = await withGadgets({ color: text });
  await cluster.create(gadget("a", { color: "red" }));
  const saved = cluster.snapshot();
  await using fork = cluster.fork();
  await redefine(fork, specOf({ color: text, size: { type: "integer", default: 1 } }));
  await redefine(cluster, specOf({ color: text, size: { type: "integer", default: 2 } }));
  const sizes = async () =>
    Promise.all(
      [fork, cluster].map(
        async (one) => structAt((await send(one, "GET", gadgetsPath("v1", "a"))).body, "spec")["size"],
      ),
    );
  expect(await sizes()).toEqual([1, 2]);
  cluster.restore(saved);
  await cluster.settle();
  expect(await sizes()).toEqual([1, undefined]);
  await cluster.delete(...definitionKind, gadgetsName);
  await cluster.settle();
  expect((await send(cluster, "GET", gadgetsPath("v1"))).code).toBe(404);
  expect((await send(fork, "GET", gadgetsPath("v1"))).code).toBe(200);
});

test("watches of instances end when a snapshot is restored, and instances that are corrupt stay so", async () => {
  await using cluster = await withGadgets({ color: text });
  await cluster.create(gadget("a", { color: "red" }));
  const saved = cluster.snapshot();
  const { body } = await cluster.fetch(`${root}${gadgetsPath("v1")}?watch=1&resourceVersion=0`, {
    headers: { authorization: `Bearer ${cluster.adminToken()}` },
  });
  const watched = new Response(body).text();
  await cluster.create(gadget("b", { color: "blue" }));
  cluster.restore(saved);
  const events = (await watched)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(events.map(({ type, object }) => [type, object.metadata?.name])).toEqual([
    ["ADDED", "a"],
    ["ADDED", "b"],
  ]);
  await cluster.settle();
  expect((await send(cluster, "GET", gadgetsPath("v1", "b"))).code).toBe(404);
  await cluster.load([gadget("b", { color: "green" })]);
  await cluster.corrupt("example.com/v1", "Gadget", "a");
  await using fork = cluster.fork();
  for (const one of [cluster, fork]) {
    expect((await send(one, "GET", gadgetsPath("v1", "a"))).code).toBe(500);
    expect((await send(one, "GET", gadgetsPath("v1", "b"))).body).toMatchObject({ spec: { color: "green" } });
  }
});
