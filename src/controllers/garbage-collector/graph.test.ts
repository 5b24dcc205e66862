import { describe, expect, test } from "vitest";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { OwnerGraph, ownersOf } from "./graph.ts";

function object(uid: string, ...owners: readonly string[]): KubeObject {
  const ownerReferences = owners.map((owner) => ({ apiVersion: "v1", kind: "X", name: owner, uid: owner }));
  return { apiVersion: "v1", kind: "X", metadata: { uid, ...(owners.length > 0 && { ownerReferences }) } };
}

const dependentsOf = (graph: OwnerGraph, uid: string) => {
  const node = graph.get(uid);
  return node && [...node.dependents];
};

describe("the graph", () => {
  test("knows objects and their dependents, whichever comes first", () => {
    const graph = new OwnerGraph();
    graph.put(object("b", "a"));
    graph.put(object("a"));
    graph.put(object("c", "a"));
    expect(graph.get("a")).toMatchObject({ uid: "a", object: object("a") });
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
    expect(graph.delete(object("a"))).toMatchObject({ uid: "a", object: undefined });
    expect([graph.get("a"), graph.delete(object("a"))]).toEqual([undefined, undefined]);
    expect(graph.delete({ ...object("a"), metadata: {} })).toBeUndefined();
  });

  test("remembers a deleted owner until its last dependent goes", () => {
    const graph = new OwnerGraph();
    for (const one of [object("a"), object("b", "a"), object("c", "a")]) graph.put(one);
    expect([...(graph.delete(object("a"))?.dependents ?? [])]).toEqual(["b", "c"]);
    expect(graph.get("a")).toMatchObject({ object: undefined });
    graph.delete(object("b", "a"));
    expect(dependentsOf(graph, "a")).toEqual(["c"]);
    graph.put(object("c"));
    expect(graph.get("a")).toBeUndefined();
  });

  test("does not forget an existing owner with its last dependent", () => {
    const graph = new OwnerGraph();
    graph.put(object("a"));
    graph.put(object("b", "a", "unknown"));
    graph.delete(object("b", "a", "unknown"));
    expect([dependentsOf(graph, "a"), graph.get("unknown")]).toEqual([[], undefined]);
  });
});

test("an object without references has no owners", () => {
  expect([ownersOf(undefined), ownersOf(object("a"))]).toEqual([[], []]);
  expect(ownersOf(object("a", "b"))).toMatchObject([{ uid: "b" }]);
});
