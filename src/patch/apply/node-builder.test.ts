import { expect, test } from "vitest";
import { emptySet, type FieldSet } from "./field-set.ts";
import { NodeBuilder, type Self } from "./node-builder.ts";

let names = 0;
/** Elements that no test has used, in their order: known nodes are remembered. */
function newElements(count: number): readonly string[] {
  const name = String(names++).padStart(9, "0");
  return Array.from({ length: count }, (_, i) => `f:${name}-${String(i).padStart(9, "0")}`);
}

function builderOf(elements: readonly string[], below: FieldSet): NodeBuilder {
  const builder = new NodeBuilder();
  for (const element of elements) builder.add(element, below);
  return builder;
}

function nodeOf(elements: readonly string[], self: Self = "container"): FieldSet | undefined {
  return builderOf(elements, emptySet).build(self);
}

test("equal elements give the same node", () => {
  const [app = "", tier = ""] = newElements(2);
  const labels = nodeOf([app, tier]);
  expect(labels).toEqual({ [app]: {}, [tier]: {} });
  expect(Object.isFrozen(labels)).toBe(true);
  expect(nodeOf([app, tier])).toBe(labels);
  expect(nodeOf([app])).not.toBe(labels);
  const deeper = builderOf([app, tier], nodeOf([app]) ?? emptySet).build("container");
  expect(deeper).toEqual({ [app]: { [app]: {} }, [tier]: { [app]: {} } });
});

test("a container and a member with equal elements are different nodes", () => {
  const [app = ""] = newElements(1);
  expect(nodeOf([app])).toEqual({ [app]: {} });
  expect(nodeOf([app], "member")).toEqual({ ".": {}, [app]: {} });
  expect(nodeOf([app], "holder")).toEqual({ ".": {}, [app]: {} });
  expect(nodeOf([app])).toEqual({ [app]: {} });
});

test("a node without elements is empty if it is a member, and is none otherwise", () => {
  expect(nodeOf([], "member")).toBe(emptySet);
  expect(nodeOf([])).toBeUndefined();
  expect(nodeOf([], "holder")).toBeUndefined();
});

test("a node is sorted regardless of the order in which its elements are added", () => {
  const [a = "", b = ""] = newElements(2);
  for (let i = 0; i < 2; i++) expect(Object.keys(nodeOf([b, a]) ?? {})).toEqual([a, b]);
});

test.each([["0 1 2 3"], ["3 2 1 0"], ["1 3 0 2"], ["2 0 3 1"], ["1 0"], ["0 2 1"]])(
  "fields with the ranks %s are sorted by rank, with the nodes below them",
  (ranks) => {
    const fields = newElements(4);
    const builder = new NodeBuilder();
    const given = ranks.split(" ").map(Number);
    for (const rank of given) builder.addRanked(fields[rank] ?? "", { [`f:${rank}`]: emptySet }, rank);
    const sorted = given.toSorted().map((rank) => [fields[rank], { [`f:${rank}`]: {} }]);
    expect(Object.entries(builder.build("container") ?? {})).toEqual(sorted);
  },
);

test("nodes of up to 64 elements are remembered", () => {
  const [most, more] = [newElements(64), newElements(65)];
  expect(nodeOf(most)).toBe(nodeOf(most));
  expect(nodeOf(more)).not.toBe(nodeOf(more));
  expect(Object.keys(nodeOf(more) ?? {})).toEqual(more);
});

test("nodes beyond the size of the cache are built correctly", () => {
  const elements = newElements(30_000);
  expect(elements.map((element) => Object.keys(nodeOf([element]) ?? {}))).toEqual(
    elements.map((element) => [element]),
  );
});
