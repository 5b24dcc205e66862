import { describe, expect, test } from "vitest";
import { collected, ownedBy, ownersOf } from "../../../test/controllers/collected-world.ts";
import { referenceTo } from "../../../test/controllers/object-world.ts";
import { conflict, internalError, notFound } from "../../apimachinery/errors/errors.ts";
import type { ObjectMeta } from "../../apimachinery/object-meta.ts";

const deleted = "2026-01-01T00:00:00Z";
const inForeground = { deletionTimestamp: deleted, finalizers: ["foregroundDeletion"] };
const orphaning = { deletionTimestamp: deleted, finalizers: ["orphan"] };
const blocking = { blockOwnerDeletion: true };
const things = { group: "", resource: "things" };

test("the controller has the name that kube-controller-manager uses", () => {
  expect(collected().collector.name).toBe("garbage-collector-controller");
});

describe("an object", () => {
  test("goes with its owner, in the namespace of both alone", async () => {
    const { world } = collected();
    for (const namespace of ["one", "two"]) {
      world.put(`${namespace}/owner`);
      world.put(`${namespace}/leaf`, ownedBy(`${namespace}/owner`));
    }
    world.remove("two/owner");
    expect(await world.settle()).toEqual([]);
    expect(world.places).toEqual(["one/leaf", "one/owner"]);
  });

  test("goes with a cluster-scoped owner, and so does what it owns", async () => {
    const { world } = collected();
    world.put("node");
    world.put("two/middle", ownedBy("node"));
    world.put("two/leaf", ownedBy("two/middle"));
    world.put("other", ownedBy("node"));
    await world.settle();
    expect(world.places).toHaveLength(4);
    world.remove("node");
    await world.settle();
    expect(world.places).toEqual([]);
  });

  test("that lost its last owner before it is looked at stays", async () => {
    const { world } = collected();
    world.put("two/leaf", ownedBy("two/gone"));
    world.put("two/leaf");
    expect(await world.settle()).toEqual([]);
    expect(world.places).toEqual(["two/leaf"]);
  });

  test("that took the name of another before it is looked at stays", async () => {
    const { world, collector } = collected();
    world.put("two/leaf", ownedBy("two/gone"));
    world.put("two/leaf", { uid: "new" });
    await collector.reconcile("two/leaf");
    expect(world.metadataOf("two/leaf")?.uid).toBe("new");
  });

  test("that was deleted before it is looked at, was never seen, or is known as an owner alone, needs nothing", async () => {
    const { world, collector } = collected();
    world.put("two/leaf", ownedBy("two/gone"));
    world.remove("two/leaf");
    await collector.reconcile("two/leaf");
    await collector.reconcile("unknown");
    world.put("two/leaf", ownedBy("two/gone"));
    await collector.reconcile("two/gone");
    expect(world.places).toEqual(["two/leaf"]);
  });

  test("keeps its existing owners, and loses its references to the others", async () => {
    const { world } = collected();
    world.put("two/a");
    world.put("two/b");
    world.put("two/leaf", ownedBy("two/gone", "two/a", "two/lost", "two/b"));
    await world.settle();
    expect(ownersOf(world, "two/leaf")).toEqual(["two/a", "two/b"]);
    world.remove("two/a");
    await world.settle();
    expect(ownersOf(world, "two/leaf")).toEqual(["two/b"]);
  });

  test("with existing owners alone is not written", async () => {
    const { world } = collected();
    world.put("two/a");
    const { resourceVersion } = world.put("two/leaf", ownedBy("two/a")).metadata;
    await world.settle();
    expect(world.metadataOf("two/leaf")?.resourceVersion).toBe(resourceVersion);
  });

  test("goes if another object has the name of its owner", async () => {
    const { world } = collected();
    world.put("two/owner", { uid: "new" });
    world.put("two/leaf", ownedBy("two/owner"));
    await world.settle();
    expect(world.places).toEqual(["two/owner"]);
  });

  test("stays if its owner was not part of a load", async () => {
    const { world } = collected(["two/absent"]);
    world.put("two/leaf", ownedBy("two/absent"));
    world.put("two/other", ownedBy("two/gone"));
    await world.settle();
    expect(world.places).toEqual(["two/leaf"]);
  });

  test.each<[title: string, owner: ObjectMeta]>([
    ["without finalizers", { deletionTimestamp: deleted }],
    ["with finalizers of others", { deletionTimestamp: deleted, finalizers: ["example.com/a"] }],
    ["with orphans", orphaning],
    ["not at all, with the finalizer alone", { finalizers: ["foregroundDeletion"] }],
  ])("stays while its owner terminates %s", async (_title, owner) => {
    const { world, collector } = collected();
    world.put("two/owner", owner);
    world.put("two/leaf", ownedBy("two/owner"));
    await collector.reconcile("two/leaf");
    expect(world.metadataOf("two/leaf")).not.toHaveProperty("deletionTimestamp");
    expect(ownersOf(world, "two/leaf")).toEqual(["two/owner"]);
  });

  test.each<[finalizers: readonly string[], after: readonly string[] | undefined]>([
    [
      ["example.com/a", "orphan"],
      ["example.com/a", "orphan"],
    ],
    [
      ["foregroundDeletion", "example.com/a"],
      ["example.com/a", "foregroundDeletion"],
    ],
    [["example.com/a"], ["example.com/a"]],
  ])("with the finalizers %j is deleted as they say", async (finalizers, after) => {
    const { world, collector } = collected();
    world.put("two/leaf", { ...ownedBy("two/gone"), finalizers });
    await collector.reconcile("two/leaf");
    expect(world.metadataOf("two/leaf")).toMatchObject({ finalizers: after, deletionTimestamp: deleted });
  });
});

describe("an owner that terminates in the foreground", () => {
  test("waits for the dependents that block it", async () => {
    const { world } = collected();
    world.put("two/owner");
    world.put("two/held", {
      ownerReferences: [referenceTo("two/owner", blocking)],
      finalizers: ["example.com/a"],
    });
    world.put("two/free", ownedBy("two/owner"));
    world.put("two/owner", inForeground);
    await world.settle();
    expect(world.places).toEqual(["two/held", "two/owner"]);
    expect(world.metadataOf("two/held")?.deletionTimestamp).toBe(deleted);
    world.remove("two/held");
    expect(await world.settle()).toEqual([]);
    expect(world.places).toEqual([]);
  });

  test("waits for a dependent that has other owners, too, and blocks this one", async () => {
    const { world } = collected();
    world.put("two/owner");
    world.put("two/other");
    const ownerReferences = [referenceTo("two/other"), referenceTo("two/owner", blocking)];
    const held = { finalizers: ["example.com/a"], deletionTimestamp: deleted };
    world.put("two/held", { ownerReferences, ...held });
    world.put("two/owner", inForeground);
    await world.settle();
    expect(world.places).toEqual(["two/held", "two/other", "two/owner"]);
    world.put("two/held", { ownerReferences: [referenceTo("two/other")], ...held });
    await world.settle();
    expect(world.places).toEqual(["two/held", "two/other"]);
  });

  test("goes when a dependent no longer refers to it", async () => {
    const { world } = collected();
    world.put("two/owner");
    const held = { finalizers: ["example.com/a"], deletionTimestamp: deleted };
    world.put("two/held", { ownerReferences: [referenceTo("two/owner", blocking)], ...held });
    world.put("two/owner", inForeground);
    await world.settle();
    expect(world.places).toEqual(["two/held", "two/owner"]);
    world.put("two/held", held);
    await world.settle();
    expect(world.places).toEqual(["two/held"]);
  });

  test("goes when a dependent no longer blocks it", async () => {
    const { world } = collected();
    world.put("two/owner");
    const held = { finalizers: ["example.com/a"], deletionTimestamp: deleted };
    world.put("two/held", { ownerReferences: [referenceTo("two/owner", blocking)], ...held });
    world.put("two/owner", inForeground);
    await world.settle();
    world.put("two/held", { ...ownedBy("two/owner"), ...held });
    await world.settle();
    expect(world.places).toEqual(["two/held"]);
  });

  test("keeps its other finalizers", async () => {
    const { world } = collected();
    world.put("two/owner", { ...inForeground, finalizers: ["foregroundDeletion", "example.com/a"] });
    await world.settle();
    expect(world.metadataOf("two/owner")?.finalizers).toEqual(["example.com/a"]);
  });

  test("takes a dependent with dependents in the foreground, and one without in the background", async () => {
    const { world, collector } = collected();
    world.put("two/owner", inForeground);
    world.put("two/middle", ownedBy("two/owner"));
    world.put("two/leaf", { ...ownedBy("two/middle"), finalizers: ["example.com/a"] });
    world.put("two/single", { ...ownedBy("two/owner"), finalizers: ["example.com/a"] });
    await collector.reconcile("two/middle");
    await collector.reconcile("two/single");
    expect(world.metadataOf("two/middle")?.finalizers).toEqual(["foregroundDeletion"]);
    expect(world.metadataOf("two/single")?.finalizers).toEqual(["example.com/a"]);
  });

  test("takes a dependent without an existing owner in the background, although that has dependents", async () => {
    const { world, collector } = collected();
    world.put("two/middle", { ...ownedBy("two/gone"), finalizers: ["example.com/a"] });
    world.put("two/leaf", ownedBy("two/middle"));
    await collector.reconcile("two/middle");
    expect(world.metadataOf("two/middle")?.finalizers).toEqual(["example.com/a"]);
  });

  test("leaves a dependent that terminates already to its own deletion", async () => {
    const { world, collector } = collected();
    world.put("two/owner", inForeground);
    world.put("two/held", { ownerReferences: [referenceTo("two/owner", blocking)], ...orphaning });
    await collector.reconcile("two/owner");
    expect(world.metadataOf("two/held")?.finalizers).toEqual(["orphan"]);
    expect(world.metadataOf("two/owner")?.finalizers).toEqual(["foregroundDeletion"]);
  });

  test("leaves a dependent to its other owner", async () => {
    const { world, collector } = collected();
    world.put("two/owner", inForeground);
    world.put("two/other");
    world.put("two/shared", ownedBy("two/owner", "two/other", "two/gone"));
    await collector.reconcile("two/shared");
    expect(ownersOf(world, "two/shared")).toEqual(["two/other"]);
  });

  test("is no longer blocked by a dependent whose own dependent waits: that could be a cycle", async () => {
    const { world, collector } = collected();
    world.put("two/owner", inForeground);
    world.put("two/second", inForeground);
    world.put("two/middle", {
      ownerReferences: [referenceTo("two/owner", blocking), referenceTo("two/second")],
    });
    world.put("two/leaf", { ...ownedBy("two/middle"), ...inForeground });
    await collector.reconcile("two/middle");
    expect(world.metadataOf("two/middle")).toMatchObject({
      finalizers: ["foregroundDeletion"],
      ownerReferences: [{ uid: "two/owner", blockOwnerDeletion: false }, { uid: "two/second" }],
    });
    expect(world.metadataOf("two/middle")?.ownerReferences?.[1]).not.toHaveProperty("blockOwnerDeletion");
  });

  test("stays blocked by a dependent whose own dependent does not wait", async () => {
    const { world, collector } = collected();
    world.put("two/owner", inForeground);
    world.put("two/middle", { ownerReferences: [referenceTo("two/owner", blocking)] });
    world.put("two/leaf", ownedBy("two/middle"));
    await collector.reconcile("two/middle");
    expect(world.metadataOf("two/middle")?.ownerReferences).toMatchObject([blocking]);
  });
});

describe("the finalizer orphan", () => {
  test("goes after every dependent is free, and leaves the other finalizers", async () => {
    const { world } = collected();
    world.put("two/owner");
    world.put("two/a", ownedBy("two/owner"));
    world.put("two/b", ownedBy("two/other", "two/owner"));
    world.put("two/other");
    world.put("two/owner", { ...orphaning, finalizers: ["orphan", "example.com/a"] });
    await world.settle();
    expect(world.metadataOf("two/owner")?.finalizers).toEqual(["example.com/a"]);
    expect([ownersOf(world, "two/a"), ownersOf(world, "two/b")]).toEqual([undefined, ["two/other"]]);
    world.put("two/owner", { deletionTimestamp: deleted });
    world.remove("two/owner");
    await world.settle();
    expect(world.places).toEqual(["two/a", "two/b", "two/other"]);
  });

  test("stays while a dependent refuses, and the failure is reported for another try", async () => {
    const { world, collector } = collected();
    world.put("two/owner");
    for (const place of ["two/a", "two/b", "two/c"]) world.put(place, ownedBy("two/owner"));
    world.refusals.set("two/b", internalError("no"));
    world.put("two/owner", orphaning);
    expect(await world.settle()).toContain("Internal error occurred: no");
    expect(world.metadataOf("two/owner")?.finalizers).toEqual(["orphan"]);
    expect(ownersOf(world, "two/b")).toEqual(["two/owner"]);
    world.refusals.clear();
    await collector.reconcile("two/owner");
    expect(world.places).toEqual(["two/a", "two/b", "two/c"]);
    expect(ownersOf(world, "two/c")).toBeUndefined();
  });

  test("stays while a dependent changes, whose change brings another try", async () => {
    const { world } = collected();
    world.put("two/owner");
    world.put("two/a", ownedBy("two/owner"));
    world.refusals.set("two/a", conflict(things, "a", "it has changed"));
    world.put("two/owner", orphaning);
    expect(await world.settle()).toEqual([]);
    expect(world.places).toEqual(["two/a", "two/owner"]);
    world.refusals.clear();
    world.put("two/a", { ...ownedBy("two/owner"), labels: { a: "b" } });
    await world.settle();
    expect([world.places, ownersOf(world, "two/a")]).toEqual([["two/a"], undefined]);
  });
});

describe("a write that fails", () => {
  test("keeps the object, and is reported for another try", async () => {
    const { world, collector } = collected();
    world.refusals.set("two/leaf", internalError("no"));
    world.put("two/leaf", ownedBy("two/gone"));
    await expect(collector.reconcile("two/leaf")).rejects.toThrow("Internal error occurred: no");
    world.put("two/owner");
    world.put("two/leaf", ownedBy("two/gone", "two/owner"));
    await expect(collector.reconcile("two/leaf")).rejects.toThrow("Internal error occurred: no");
    expect(ownersOf(world, "two/leaf")).toEqual(["two/gone", "two/owner"]);
  });

  test.each([
    ["was deleted", notFound(things, "leaf")],
    ["has changed", conflict(things, "leaf", "it has changed")],
  ])("because the object %s needs no other try", async (_title, refusal) => {
    const { world, collector } = collected();
    world.refusals.set("two/leaf", refusal);
    world.put("two/leaf", ownedBy("two/gone"));
    await expect(collector.reconcile("two/leaf")).resolves.toBeUndefined();
    expect(world.places).toEqual(["two/leaf"]);
  });
});
