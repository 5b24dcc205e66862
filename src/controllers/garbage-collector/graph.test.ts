import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { OwnerGraph, ownersOf } from "./graph.ts";

function object(uid: string, ...owners: readonly string[]): KubeObject {
  const ownerReferences = owners.map((owner) => ({ apiVersion: "v1", kind: "X", name: owner, uid: owner }));
  return { apiVersion: "v1", kind: "X", metadata: { uid, ...(owners.length > 0 && { ownerReferences }) } };
}

const dependentsOf = (graph: OwnerGraph, uid: string) => graph.dependentsOf(uid);

describe("the graph", () => {
  test("knows objects and their dependents, whichever comes first", () => {
    const graph = new OwnerGraph();
    graph.put(object("b", "a"));
    graph.put(object("a"));
    graph.put(object("c", "a"));
    expect(graph.get("a")).toEqual(object("a"));
    expect(dependentsOf(graph, "a")).toEqual(["b", "c"]);
    expect(dependentsOf(graph, "b")).toEqual([]);
  });

  test("ignores what has no uid", () => {
    const graph = new OwnerGraph();
    graph.put(object("a"));
    const { ownerReferences = [] } = object("b", "a").metadata;
    graph.put({ ...object("b"), metadata: { ownerReferences } });
    expect(dependentsOf(graph, "a")).toEqual([]);
  });

  test("follows changes of owners", () => {
    const graph = new OwnerGraph();
    for (const uid of ["a", "b"]) graph.put(object(uid));
    graph.put(object("c", "a", "b"));
    graph.put(object("c", "b"));
    expect([dependentsOf(graph, "a"), dependentsOf(graph, "b")]).toEqual([[], ["c"]]);
    graph.put(object("c"));
    expect(dependentsOf(graph, "b")).toEqual([]);
    graph.put(object("c", "a"));
    expect(dependentsOf(graph, "a")).toEqual(["c"]);
  });

  test("forgets an object without dependents", () => {
    const graph = new OwnerGraph();
    graph.put(object("a"));
    expect(graph.delete(object("a"))).toEqual([]);
    expect([graph.get("a"), graph.delete(object("a"))]).toEqual([undefined, []]);
    expect(graph.delete({ ...object("a"), metadata: {} })).toEqual([]);
  });

  test("remembers a deleted owner until its last dependent goes", () => {
    const graph = new OwnerGraph();
    for (const one of [object("a"), object("b", "a"), object("c", "a")]) graph.put(one);
    expect(graph.delete(object("a"))).toEqual(["b", "c"]);
    expect([graph.get("a"), dependentsOf(graph, "a")]).toEqual([undefined, ["b", "c"]]);
    graph.delete(object("b", "a"));
    expect(dependentsOf(graph, "a")).toEqual(["c"]);
    graph.put(object("c"));
    expect(dependentsOf(graph, "a")).toEqual([]);
  });

  test("does not forget an existing owner with its last dependent", () => {
    const graph = new OwnerGraph();
    graph.put(object("a"));
    graph.put(object("b", "a", "unknown"));
    graph.delete(object("b", "a", "unknown"));
    expect([dependentsOf(graph, "a"), dependentsOf(graph, "unknown")]).toEqual([[], []]);
  });
});

test("dependents are in the order in which they appeared, whatever their uids are", () => {
  const graph = new OwnerGraph();
  for (const uid of ["z", "b", "m"]) graph.put(object(uid, "a"));
  graph.put(object("b", "a", "other"));
  expect(dependentsOf(graph, "a")).toEqual(["z", "b", "m"]);
});

test("uids that look like others with dependents do not share them", () => {
  const graph = new OwnerGraph();
  graph.put(object("x", "1:a"));
  graph.put(object("y", "a:"));
  expect([dependentsOf(graph, "a"), dependentsOf(graph, "1"), dependentsOf(graph, "")]).toEqual([[], [], []]);
  expect([dependentsOf(graph, "1:a"), dependentsOf(graph, "a:")]).toEqual([["x"], ["y"]]);
});

test("a fork and its origin follow their own changes", () => {
  const graph = new OwnerGraph();
  graph.put(object("b", "a"));
  const fork = graph.fork();
  graph.put(object("c", "a"));
  fork.delete(object("b", "a"));
  fork.put(object("d", "a"));
  expect([dependentsOf(graph, "a"), dependentsOf(fork, "a")]).toEqual([["b", "c"], ["d"]]);
  expect([fork.get("b"), fork.get("c"), graph.get("d")]).toEqual([undefined, undefined, undefined]);
});

test("an object without references has no owners", () => {
  expect([ownersOf(undefined), ownersOf(object("a"))]).toEqual([[], []]);
  expect(ownersOf(object("a", "b"))).toMatchObject([{ uid: "b" }]);
});

test("objects that are read when they are needed are known like those that were put", () => {
  const uids = fc.constantFrom("a", "b", "c", "d", "x", "y");
  const step = fc.oneof(
    fc.record({
      type: fc.constant("put" as const),
      uid: uids,
      owners: fc.uniqueArray(uids, { maxLength: 2 }),
    }),
    fc.record({ type: fc.constantFrom("delete" as const, "get" as const, "fork" as const), uid: uids }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const unread = ["a", "b", "c"].map((uid) => object(uid));
      let late = new OwnerGraph(unread);
      let early = new OwnerGraph();
      for (const one of unread) early.put(one);
      for (const taken of steps) {
        const { type, uid } = taken;
        if (type === "put") for (const graph of [late, early]) graph.put(object(uid, ...taken.owners));
        if (type === "delete")
          expect([...late.delete(object(uid))].sort()).toEqual([...early.delete(object(uid))].sort());
        if (type === "get") expect(late.get(uid)).toEqual(early.get(uid));
        if (type === "fork") [late, early] = [late.fork(), early.fork()];
        expect(ownersOf(late.get(uid))).toEqual(ownersOf(early.get(uid)));
        expect([...late.dependentsOf(uid)].sort()).toEqual([...early.dependentsOf(uid)].sort());
      }
      for (const uid of ["a", "b", "c", "d", "x", "y"]) expect(late.get(uid)).toEqual(early.get(uid));
    }),
  );
});
