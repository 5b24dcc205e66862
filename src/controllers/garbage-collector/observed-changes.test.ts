import { expect, test } from "vitest";
import { referenceTo } from "../../../test/controllers/object-world.ts";
import type { KubeObject, ObjectMeta } from "../../apimachinery/object-meta.ts";
import type { Release } from "../../apimachinery/release.ts";
import { featureGates } from "../../catalog/feature-gates.ts";
import type { ControllerClient } from "../contract/controller.ts";
import { CollectorMemory } from "./collector-memory.ts";
import { garbageCollector } from "./garbage-collector.ts";

/** A ConfigMap in the namespace `n`, or a Node if there is none. */
function object(uid: string, metadata: ObjectMeta = {}, kind = "ConfigMap"): KubeObject {
  const namespace = kind === "ConfigMap" ? { namespace: "n" } : {};
  return {
    apiVersion: "v1",
    kind,
    metadata: { name: uid.replace(/^.*\//, ""), ...namespace, uid, ...metadata },
  };
}

const ownedBy = (...owners: readonly string[]): ObjectMeta => ({
  ownerReferences: owners.map((uid) => referenceTo(uid)),
});
const deletionTimestamp = "2026-01-01T00:00:00Z";

/** A collector that has observed these objects, and what it returns for a further change. */
function observing(...objects: readonly KubeObject[]) {
  return observingIn("1.32", ...objects);
}

function observingIn(release: Release, ...objects: readonly KubeObject[]) {
  const unused = () => {
    throw new Error("nothing is reconciled here");
  };
  const lister = { get: unused, list: unused };
  const calls = ["create", "update", "patch", "apply", "delete", "deleteCollection"];
  // No call is made.
  const client = Object.fromEntries(calls.map((name) => [name, unused])) as unknown as ControllerClient;
  const loads = { isAbsentOwner: unused };
  const memory = new CollectorMemory();
  const options = {
    lister,
    client,
    served: { current: { resourceOfKind: unused, groupVersions: unused } },
    loads,
    now: () => 0,
    memory,
  };
  const collector = garbageCollector({ ...options, since: featureGates(release).since });
  // The queue holds each key once.
  const observe = (type: "put" | "delete") => (one: KubeObject) => [
    ...new Set(collector.observe({ type, object: one, isFound: false })),
  ];
  const [put, remove] = [observe("put"), observe("delete")];
  for (const one of objects) put(one);
  return { put, remove, collector, memory };
}

test.each<[title: string, owners: readonly KubeObject[], again: readonly string[]]>([
  ["while all of them exist", [object("n/a"), object("n/b")], []],
  ["if one is gone", [object("n/a")], ["n/leaf"]],
  ["if one terminates", [object("n/a"), object("n/b", { deletionTimestamp })], ["n/leaf"]],
  ["if one has another kind", [object("n/a"), { ...object("n/b"), kind: "Secret" }], ["n/leaf"]],
  ["if one has another name", [object("n/a"), object("n/b", { name: "other" })], ["n/leaf"]],
  ["if one is in another namespace", [object("n/a"), object("n/b", { namespace: "m" })], ["n/leaf"]],
])("an object whose owners stay the same is looked at again: %s", (_title, owners, again) => {
  const leaf = object("n/leaf", ownedBy("n/a", "n/b"));
  const { put } = observing(...owners, leaf);
  expect(put({ ...leaf, metadata: { ...leaf.metadata, labels: { a: "b" } } })).toEqual(again);
  // It makes no difference whether a change shares the references.
  expect(put(structuredClone(leaf))).toEqual(again);
});

test("an object whose owners change is looked at", () => {
  const { put } = observing(object("n/a"), object("n/b"), object("n/leaf", ownedBy("n/a")));
  expect(put(object("n/leaf", ownedBy("n/a", "n/b")))).toEqual(["n/leaf"]);
  expect(put(object("n/leaf", ownedBy("n/b")))).toEqual(["n/leaf"]);
  expect(put(object("n/leaf"))).toEqual([]);
});

test("an owner in no namespace has dependents in every one", () => {
  const leaf = object("n/leaf", ownedBy("node"));
  const { put } = observing(object("node", {}, "Node"), leaf);
  expect(put(leaf)).toEqual([]);
});

test.each<[finalizers: readonly string[], isHeld: boolean]>([
  [["foregroundDeletion"], true],
  [["orphan"], true],
  [["example.com/a"], false],
])(
  "an owner that terminates with the finalizers %j is looked at with its dependents: %s",
  (finalizers, isHeld) => {
    const owner = object("n/a", { deletionTimestamp, finalizers });
    const { put } = observing(owner, object("n/leaf", ownedBy("n/a")));
    const waiting = isHeld ? ["n/a"] : [];
    expect(put(object("n/leaf", { ...ownedBy("n/a"), labels: { a: "b" } }))).toEqual(["n/leaf", ...waiting]);
    expect(put(object("n/leaf", { ...ownedBy("n/a"), deletionTimestamp }))).toEqual(["n/leaf", ...waiting]);
    expect(put(object("n/new", ownedBy("n/a")))).toEqual(["n/new", ...waiting]);
    // It no longer has the owner.
    expect(put(object("n/leaf"))).toEqual(waiting);
  },
);

test("an object without owners is looked at only if it terminates", () => {
  const { put } = observing();
  expect(put(object("n/a"))).toEqual([]);
  expect(put(object("n/a", { deletionTimestamp }))).toEqual(["n/a"]);
});

test("with a deleted object, its dependents and its owners are looked at", () => {
  const { remove } = observing(
    object("n/a"),
    object("n/b", ownedBy("n/a")),
    object("n/leaf", ownedBy("n/b")),
  );
  expect(remove(object("n/b", ownedBy("n/a")))).toEqual(["n/leaf", "n/a"]);
  expect(remove(object("n/leaf", ownedBy("n/b")))).toEqual(["n/b"]);
});

test.each<[release: Release, apiVersion: string, keys: readonly string[]]>([
  ["1.24", "v1", ["n/event"]],
  ["1.25", "v1", []],
  ["1.25", "example.com/v1", ["n/event"]],
])("in %s, an Event of %s with a missing owner leads to %j", (release, apiVersion, keys) => {
  const event = { ...object("n/event", ownedBy("n/a")), apiVersion, kind: "Event" };
  const { put, remove } = observingIn(release);
  expect(put(event)).toEqual(keys);
  expect(put({ ...event, metadata: { ...event.metadata, deletionTimestamp } })).toEqual(keys);
  expect(remove(event)).toEqual(keys.map(() => "n/a"));
});

test("what waits for an API is looked at when the API changes", () => {
  const { collector, memory } = observing();
  memory.addUnresolved("n/a");
  expect([...(collector.observeApi?.() ?? [])]).toEqual(["n/a"]);
});
