import { expect, test } from "vitest";
import { emptySet, type FieldSet } from "./field-set.ts";
import { NodeBuilder } from "./node-builder.ts";

function nodeOf(elements: readonly string[], below: FieldSet = emptySet): FieldSet | undefined {
  const builder = new NodeBuilder();
  for (const element of elements) builder.add(element, below);
  return builder.build("container");
}

test("equal elements give the same node", () => {
  const labels = nodeOf(["f:app", "f:tier"]);
  expect(nodeOf(["f:app", "f:tier"])).toBe(labels);
  expect(nodeOf(["f:app"])).not.toBe(labels);
  expect(nodeOf(["f:app", "f:tier"], nodeOf(["f:app"]))).not.toBe(labels);
});

test("a container and a member with equal elements are different nodes", () => {
  const builder = new NodeBuilder();
  builder.add("f:app", emptySet);
  expect(builder.build("container")).toEqual({ "f:app": {} });
  expect(builder.build("member")).toEqual({ ".": {}, "f:app": {} });
});

test("a node is sorted regardless of the order in which its elements are added", () => {
  for (let i = 0; i < 2; i++) expect(Object.keys(nodeOf(["f:b", "f:a"]) ?? {})).toEqual(["f:a", "f:b"]);
});

test("nodes beyond the size of the cache are built correctly", () => {
  const elements = Array.from({ length: 30_000 }, (_, i) => `f:${i}`);
  expect(elements.map((element) => Object.keys(nodeOf([element]) ?? {}))).toEqual(
    elements.map((element) => [element]),
  );
});
