import { describe, expect, test } from "vitest";
import { collected, ownedBy, ownersOf } from "../../../test/controllers/collected-world.ts";
import { referenceTo } from "../../../test/controllers/object-world.ts";
import { internalError } from "../../apimachinery/errors/errors.ts";
import type { ObjectMeta } from "../../apimachinery/object-meta.ts";

const deleted = "2026-01-01T00:00:00Z";
const inForeground = { deletionTimestamp: deleted, finalizers: ["foregroundDeletion"] };

describe("kinds that are not served", () => {
  const widget = { apiVersion: "example.com/v1", kind: "Widget", name: "w", uid: "w" };

  test("keep what they own, until they are served", async () => {
    const { world, collector } = collected();
    world.put("two/leaf", { ownerReferences: [widget, referenceTo("two/gone")] });
    await world.settle();
    expect(ownersOf(world, "two/leaf")).toEqual(["w", "two/gone"]);
    const [node] = world.served.values();
    if (node !== undefined) world.served.set("example.com/v1 Widget", { ...node, resource: "widgets" });
    expect([...(collector.observeApi?.() ?? [])]).toEqual(["two/leaf"]);
    expect([...(collector.observeApi?.() ?? [])]).toEqual([]);
    await collector.reconcile("two/leaf");
    expect(world.places).toEqual([]);
  });

  test("keep their own objects, until they are served", async () => {
    const { world, collector } = collected();
    const [configMaps] = world.served.values();
    world.served.delete("v1 ConfigMap");
    world.put("two/leaf", ownedBy("gone"));
    expect(await world.settle()).toEqual([]);
    if (configMaps !== undefined) world.served.set("v1 ConfigMap", configMaps);
    world.enqueue(collector.observeApi?.() ?? []);
    await world.settle();
    expect(world.places).toEqual([]);
  });

  test("are the only ones that may be served later", async () => {
    const { world, collector } = collected();
    world.put("two/owner");
    world.put("two/leaf", ownedBy("two/owner"));
    await world.settle();
    expect([...(collector.observeApi?.() ?? [])]).toEqual([]);
  });

  test("are forgotten with their objects", async () => {
    const { world, collector } = collected();
    world.put("two/leaf", { ownerReferences: [widget] });
    await world.settle();
    world.remove("two/leaf");
    expect([...(collector.observeApi?.() ?? [])]).toEqual([]);
  });

  test("may have names that are none", async () => {
    const { world } = collected();
    const [configMaps] = world.served.values();
    if (configMaps !== undefined) world.served.set("a/b/c ConfigMap", configMaps);
    world.put("two/leaf", { ownerReferences: [{ ...widget, apiVersion: "a/b/c", kind: "ConfigMap" }] });
    await world.settle();
    expect(world.places).toEqual(["two/leaf"]);
  });
});

describe("an owner in another namespace", () => {
  test("is reported once for each dependent and owner, and the dependent goes", async () => {
    const { world } = collected();
    world.put("one/owner");
    world.put("two/leaf", { ...ownedBy("one/owner"), finalizers: ["example.com/a"] });
    await world.settle();
    world.put("two/leaf", { ...ownedBy("one/owner"), finalizers: ["example.com/a"], labels: { a: "b" } });
    await world.settle();
    expect(world.events).toMatchObject([{ involvedObject: { uid: "two/leaf" } }]);
    expect(world.metadataOf("two/leaf")?.deletionTimestamp).toBe(deleted);
  });

  test("of a cluster-scoped object is reported once as well, and the object stays", async () => {
    const { world, collector } = collected();
    world.put("one/owner");
    world.put("one/second");
    world.put("node", ownedBy("one/owner", "one/second"));
    await world.settle();
    await collector.reconcile("node");
    const reported = world.events.map(({ message }) => String(message).match(/uid: ([^\]]*)/)?.[1]);
    expect([reported, world.places.includes("node")]).toEqual([["one/owner", "one/second"], true]);
  });

  test("is reported again for an object that was deleted and restored", async () => {
    const { world } = collected();
    world.put("one/owner");
    world.put("node", ownedBy("one/owner"));
    await world.settle();
    world.remove("node");
    world.put("node", ownedBy("one/owner"));
    await world.settle();
    expect(world.events).toHaveLength(2);
  });

  test("is not reported for a cluster-scoped owner, or one in the same namespace, or one that is unknown", async () => {
    const { world } = collected();
    world.put("node");
    world.put("two/owner");
    world.put("two/leaf", ownedBy("node", "two/owner", "one/unknown"));
    await world.settle();
    expect(world.events).toEqual([]);
  });

  test("does not prevent the collection if the Event fails", async () => {
    const { world } = collected();
    world.refusals.set("events", internalError("no"));
    world.put("one/owner");
    world.put("two/leaf", ownedBy("one/owner"));
    expect(await world.settle()).toEqual([]);
    expect(world.places).toEqual(["one/owner"]);
  });
});

test("a change of an object leads to the objects that it concerns, and to no other", () => {
  const { world, collector } = collected();
  const keysOf = (type: "put" | "delete", metadata: ObjectMeta) => [
    ...collector.observe({ type, object: { apiVersion: "v1", kind: "ConfigMap", metadata }, isFound: false }),
  ];
  expect(keysOf("put", { name: "a", uid: "a" })).toEqual([]);
  expect(keysOf("put", { name: "a", uid: "a", deletionTimestamp: deleted })).toEqual(["a"]);
  expect(keysOf("put", { name: "b", uid: "b", ...ownedBy("a") })).toEqual(["b"]);
  expect(keysOf("put", { name: "a", uid: "a", ...inForeground })).toEqual(["a"]);
  expect(keysOf("put", { name: "b", uid: "b", ...ownedBy("a") })).toContain("a");
  expect(keysOf("put", { name: "b", uid: "b" })).toEqual(["a"]);
  expect(keysOf("put", { name: "b", uid: "b", ...ownedBy("a") })).toContain("b");
  expect(keysOf("delete", { name: "a", uid: "a" })).toEqual(["b"]);
  expect(keysOf("delete", { name: "b", uid: "b", ...ownedBy("a") })).toEqual(["a"]);
  expect(keysOf("delete", { name: "c", uid: "c" })).toEqual([]);
  expect(world.places).toEqual([]);
});

test("a change of an object that has the same owner as before leads to nothing, unless the owner terminates", () => {
  const { collector } = collected();
  const keysOf = (metadata: ObjectMeta) => {
    const object = { apiVersion: "v1", kind: "Node", metadata };
    return [...collector.observe({ type: "put", object, isFound: false })];
  };
  const leaf = { name: "leaf", uid: "leaf", ...ownedBy("owner") };
  keysOf({ name: "owner", uid: "owner" });
  expect(keysOf(leaf)).toEqual(["leaf"]);
  expect(keysOf({ ...leaf, labels: { changed: "yes" } })).toEqual([]);
  expect(keysOf({ ...leaf, ...ownedBy("owner", "other") })).toEqual(["leaf"]);
  keysOf({ name: "owner", uid: "owner", ...inForeground });
  keysOf({ name: "leaf", uid: "leaf", ...ownedBy("owner") });
  expect(keysOf({ ...leaf, labels: { changed: "again" } })).toContain("leaf");
});
