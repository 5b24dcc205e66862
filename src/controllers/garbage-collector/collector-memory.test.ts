import { expect, test } from "vitest";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { CollectorMemory } from "./collector-memory.ts";

const object = (uid?: string): KubeObject => ({
  apiVersion: "v1",
  kind: "X",
  metadata: uid === undefined ? {} : { uid },
});

test("each owner of each object is reported once, until the object goes", () => {
  const memory = new CollectorMemory();
  expect([memory.isFirstReport("a", "x"), memory.isFirstReport("a", "x")]).toEqual([true, false]);
  expect([memory.isFirstReport("a", "y"), memory.isFirstReport("b", "x")]).toEqual([true, true]);
  memory.forget(object("a"));
  expect([memory.isFirstReport("b", "x"), memory.isFirstReport("a", "x")]).toEqual([false, true]);
});

test("the uid of one object can be the beginning of that of another", () => {
  const memory = new CollectorMemory();
  expect([memory.isFirstReport("a:", "x"), memory.isFirstReport("a", ":x")]).toEqual([true, true]);
  for (const uid of ["ab", "1"]) memory.isFirstReport(uid, "x");
  memory.forget(object("a"));
  memory.forget(object());
  expect(["ab", "a:", "1"].map((uid) => memory.isFirstReport(uid, "x"))).toEqual([false, false, false]);
});

test("objects that wait for an API are taken once, unless they are gone", () => {
  const memory = new CollectorMemory();
  for (const uid of ["a", "b", "a"]) memory.addUnresolved(uid);
  memory.forget(object("b"));
  expect([memory.takeUnresolved(), memory.takeUnresolved()]).toEqual([["a"], []]);
});

test("a fork remembers the same, and then its own", () => {
  const memory = new CollectorMemory();
  memory.graph.put(object("a"));
  memory.addUnresolved("a");
  memory.isFirstReport("a", "x");
  const fork = memory.fork();
  expect([fork.graph.get("a"), fork.isFirstReport("a", "x"), fork.takeUnresolved()]).toEqual([
    object("a"),
    false,
    ["a"],
  ]);
  fork.forget(object("a"));
  expect([memory.graph.get("a"), memory.isFirstReport("a", "x"), memory.takeUnresolved()]).toEqual([
    object("a"),
    false,
    ["a"],
  ]);
});
