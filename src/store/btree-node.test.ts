import { describe, expect, test } from "vitest";
import {
  branch,
  childPlaceOf,
  join,
  leaf,
  mapped,
  owned,
  placeOf,
  sizeOf,
  split,
  type TreeEntry,
  type TreeNode,
} from "./btree-node.ts";
import { noMisses } from "./leaf-misses.ts";

interface Entry extends TreeEntry {
  readonly name: string;
}

/** The entry of a key that was written at this revision; a key in capitals is dead. */
const entry = (key: string, modRevision: number): Entry => ({
  key,
  name: key,
  live: key === key.toLowerCase(),
  modRevision,
  at,
});

const isBefore = (a: string, b: string) => a < b;
const [mine, other] = [{ name: "mine" }, { name: "other" }];
const at = () => undefined;
const leafOf = (keys: string, revision = 1) =>
  leaf(
    mine,
    [...keys].map((key, i) => entry(key, revision + i)),
  );

/** A leaf as its keys, a branch as its bounds with its children. */
function shape(node: TreeNode<Entry>): unknown {
  if (node.children === undefined) return node.entries.map(({ key }) => key).join("");
  return node.children.map((child, i) => [node.keys[i], shape(child)]);
}

describe("a node counts", () => {
  test("the live entries of a leaf, and knows its latest revision", () => {
    expect(leafOf("abCd", 7)).toMatchObject({ owner: mine, live: 3, modRevision: 10, misses: noMisses });
    const unordered = leaf(mine, [entry("a", 9), entry("b", 4)]);
    expect([unordered.live, unordered.modRevision, leafOf("").modRevision]).toEqual([2, 9, 0]);
  });

  test("those of the children of a branch", () => {
    const made = branch(mine, ["", "d"], [leafOf("abC", 5), leafOf("dE", 1)]);
    expect(made).toMatchObject({ owner: mine, live: 3, modRevision: 7 });
    expect(branch(mine, [], []).modRevision).toBe(0);
  });

  test("its entries or children", () => {
    expect([sizeOf(leafOf("abc")), sizeOf(branch(mine, ["", "b"], [leafOf("a"), leafOf("b")]))]).toEqual([
      3, 2,
    ]);
  });
});

test.each([
  ["bdf", { a: 0, b: 0, c: 1, d: 1, e: 2, f: 2, g: 3 }],
  ["bdfh", { a: 0, b: 0, e: 2, h: 3, i: 4 }],
  ["", { a: 0 }],
])("in the leaf %j, the places are %j", (keys, places) => {
  const node = leafOf(keys);
  for (const [key, place] of Object.entries(places))
    expect([key, placeOf(node, key, isBefore)]).toEqual([key, place]);
});

test.each([
  [["", "d"], { "": 0, a: 0, c: 0, d: 1, e: 1 }],
  [["", "d", "f", "h"], { "": 0, c: 0, d: 1, e: 1, f: 2, g: 2, h: 3, i: 3 }],
  // The first bound is not used.
  [["x", "d"], { a: 0, z: 1 }],
  [[""], { a: 0 }],
])("between the bounds %j, the children are %j", (bounds, places) => {
  const children = bounds.map(() => leafOf(""));
  const node = branch(mine, bounds, children);
  for (const [key, place] of Object.entries(places)) {
    expect([key, childPlaceOf(node, key, isBefore)]).toEqual([key, place]);
  }
});

test("places follow the given order", () => {
  const isAfter = (a: string, b: string) => a > b;
  expect(["d", "c", "b"].map((key) => placeOf(leafOf("ca"), key, isAfter))).toEqual([0, 0, 1]);
  const node = branch(mine, ["", "c"], [leafOf("d"), leafOf("c")]);
  expect(["d", "c", "b"].map((key) => childPlaceOf(node, key, isAfter))).toEqual([0, 1, 1]);
});

describe("a node of another owner", () => {
  const inner = leafOf("aB", 4);
  const nodes = [inner, branch(mine, ["", "c"], [inner, leafOf("c", 9)])];

  test.each(nodes)("is copied, and one's own is not", (node) => {
    expect(owned(node, mine)).toBe(node);
    const copy = owned(node, other);
    expect(copy).toEqual({ ...node, owner: other });
    for (const list of ["entries", "keys", "children"] as const) {
      const lists = [node, copy].map((one): unknown => Reflect.get(one, list));
      if (lists[0] !== undefined) expect(lists[0]).not.toBe(lists[1]);
    }
  });

  test("is copied without what was found in it, and keeps its children", () => {
    const known = { ...leafOf("a"), misses: ["red"] };
    expect(owned(known, other)).toMatchObject({ misses: [] });
    expect(owned(known, mine)).toMatchObject({ misses: ["red"] });
    expect(owned(branch(mine, [""], [known]), other).children?.[0]).toBe(known);
  });

  test.each(nodes)("is mapped with all below it", (node) => {
    const before = structuredClone(shape(node));
    const copy = mapped(node, other, (one) => ({ ...one, key: `${one.key}!` }));
    expect(JSON.stringify(shape(copy))).toBe(
      JSON.stringify(before).replaceAll("aB", "a!B!").replaceAll('"c"]]', '"c!"]]'),
    );
    expect([copy.owner, copy.live, copy.modRevision]).toEqual([other, node.live, node.modRevision]);
    expect(shape(node)).toEqual(before);
    if (node.children !== undefined && copy.children !== undefined) {
      expect(copy.keys).not.toBe(node.keys);
      expect(copy.children.map((child) => child.owner)).toEqual([other, other]);
    }
  });

  test("is mapped without what was found in it", () => {
    expect(mapped({ ...leafOf("a"), misses: ["red"] }, other, (one) => one)).toMatchObject({ misses: [] });
  });
});

describe("split and join", () => {
  test("a leaf is split in the middle, and joined again", () => {
    const [left, key, right] = split(leafOf("abcDE", 3), other);
    expect([shape(left), key, shape(right)]).toEqual(["ab", "c", "cDE"]);
    expect([left, right]).toMatchObject([
      { owner: other, live: 2, modRevision: 4 },
      { owner: other, live: 1, modRevision: 7 },
    ]);
    expect(join(left, key, right, mine)).toEqual(leafOf("abcDE", 3));
  });

  test("a branch is split in the middle, and joined again", () => {
    const children = [..."abcde"].map((key, i) => leafOf(key, i + 1));
    const whole = branch(mine, ["", "b", "c", "d", "e"], children);
    const [left, key, right] = split(whole, other);
    expect([shape(left), key]).toEqual([
      [
        ["", "a"],
        ["b", "b"],
      ],
      "c",
    ]);
    expect(right).toMatchObject({ owner: other, live: 3, modRevision: 5, children: children.slice(2) });
    expect(left).toMatchObject({ owner: other, live: 2, modRevision: 2 });
    expect(join(left, key, right, mine)).toEqual(whole);
  });

  test("nodes of different heights are not joined", () => {
    const low = leafOf("a");
    const high = branch(mine, [""], [leafOf("b")]);
    expect([join(low, "b", high, mine), join(high, "b", low, mine)]).toEqual([undefined, undefined]);
  });
});
