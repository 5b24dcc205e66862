import { describe, expect, test } from "vitest";
import { entryOf } from "../../test/store/entry-of.ts";
import { BTree } from "./btree.ts";
import type { TreeEntry } from "./btree-node.ts";

/** An entry that was written at a revision, and is read at one from then on if it is live. */
interface Written extends TreeEntry {
  readonly live: boolean;
}

/** A tree, and the keys whose values were read. */
function watchedTree() {
  const tree = new BTree<Written>();
  const read = new Set<string>();
  const put = (key: string, modRevision: number, live = true) =>
    tree.update(key, () => ({
      key,
      modRevision,
      live,
      at(revision) {
        read.add(key);
        // What is dead now was live before.
        return (live ? revision >= modRevision : revision < modRevision) ? this : undefined;
      },
    }));
  const remove = (key: string) => tree.update(key, () => undefined);
  return { tree, read, put, remove };
}

const all = { from: "", end: undefined };
const name = (i: number) => `k/${String(i).padStart(5, "0")}`;

/** The numbers of entries in the leaves that a scan visits. */
function leavesOf(
  tree: BTree<Written>,
  at = Number.MAX_SAFE_INTEGER,
  range: Parameters<typeof tree.scan>[0] = all,
) {
  const sizes: number[] = [];
  tree.scan(range, at, (_entries, first, last) => {
    sizes.push(last - first);
    return "some";
  });
  return sizes;
}

/** A tree of the entries from 0 to before `count`, written at the revisions 1, 2 and so on. */
function treeOf(count: number, isLive = true) {
  const watched = watchedTree();
  for (let i = 0; i < count; i++) watched.put(name(i), i + 1, isLive);
  return watched;
}

describe("the nodes of a tree", () => {
  test("have at most 64 entries, and are split in halves", () => {
    const { tree, put } = treeOf(64);
    expect(leavesOf(tree)).toEqual([64]);
    put(name(64), 65);
    expect(leavesOf(tree)).toEqual([32, 33]);
    for (let i = 65; i < 96; i++) put(name(i), i + 1);
    expect(leavesOf(tree)).toEqual([32, 64]);
    put(name(96), 97);
    expect(leavesOf(tree)).toEqual([32, 32, 33]);
  });

  test.each<[title: string, from: number, leaves: readonly (readonly number[])[]]>([
    ["the first", 0, [[16, 33], [48]]],
    ["the last", 40, [[32, 16], [47]]],
  ])("with fewer than 16 entries are joined with a neighbor: %s", (_title, from, [before, after]) => {
    const { tree, remove } = treeOf(65);
    const count = from === 0 ? 16 : 17;
    for (let i = 0; i < count; i++) remove(name(from + i));
    expect(leavesOf(tree)).toEqual(before);
    remove(name(from + count));
    expect(leavesOf(tree)).toEqual(after);
  });

  test.each([
    [49, [64]],
    [50, [15, 50]],
  ])("with 15 entries are joined with one of %d if they fit into one", (size, leaves) => {
    const { tree, put, remove } = treeOf(65);
    for (let i = 33; i < size; i++) put(name(32 + i), 33 + i);
    for (let i = 0; i < 17; i++) remove(name(i));
    expect(leavesOf(tree)).toEqual(leaves);
  });

  test("are not changed by removing a key that does not exist", () => {
    const { tree, remove } = treeOf(3);
    remove(`${name(0)}-`);
    expect([tree.count(all, 3), entryOf(tree, name(1))?.key]).toEqual([3, name(1)]);
  });
});

describe("a scan", () => {
  test("ends at any height", () => {
    const { tree } = treeOf(4000);
    let visits = 0;
    tree.scan(all, 4000, () => (++visits < 2 ? "some" : "end"));
    expect(visits).toBe(2);
  });

  test("does not visit leaves whose entries were all dead", () => {
    const { tree } = treeOf(65, false);
    // The last entries of the leaves died at the revisions 32 and 65.
    expect([31, 32, 64, 65].map((at) => leavesOf(tree, at))).toEqual([[32, 33], [33], [33], []]);
  });

  test("visits a leaf with one live entry", () => {
    const { tree, put } = treeOf(3, false);
    put(name(1), 4);
    expect(leavesOf(tree)).toEqual([3]);
  });
});

describe("a scan of a selection", () => {
  test("skips leaves in which it found nothing, if it saw all of it", () => {
    const { tree, put } = treeOf(65);
    const visited = (range: Parameters<typeof tree.scan>[0], at = 100) => {
      const firsts: (string | undefined)[] = [];
      tree.scanSelection(range, at, "none", (entries, first) => {
        firsts.push(entries[first]?.key);
        return "none";
      });
      return firsts;
    };
    const afterFirst = { from: name(1), end: undefined };
    const beforeLast = { from: "", end: name(64) };
    expect(visited(afterFirst)).toEqual([name(1), name(32)]);
    expect(visited(beforeLast)).toEqual([name(0)]);
    expect(visited(all)).toEqual([]);
    put(name(40), 66);
    expect(visited(beforeLast)).toEqual([name(32)]);
    expect(visited(all, 65)).toEqual([name(32)]);
    expect(visited(all)).toEqual([name(32)]);
    expect(visited(all)).toEqual([]);
  });

  const visits = (tree: BTree<Written>, at: number) => {
    let count = 0;
    tree.scanSelection(all, at, "any", () => {
      count += 1;
      return "some";
    });
    return count;
  };

  test("visits leaves with a live entry, and those whose entries were not all dead", () => {
    const { tree, put } = treeOf(3, false);
    expect([visits(tree, 2), visits(tree, 3)]).toEqual([1, 0]);
    put(name(1), 4);
    expect(visits(tree, 4)).toBe(1);
  });
});

describe("a count", () => {
  test("reads no entries of nodes that are within the range and have not changed since", () => {
    const { tree, read } = treeOf(1000);
    // The nodes in which the range begins and ends are read.
    expect([tree.count(all, 1000), read.size]).toEqual([1000, 32]);
    read.clear();
    expect([tree.count({ from: name(10), end: undefined }, 1000), read.size]).toEqual([990, 22]);
    read.clear();
    expect([tree.count({ from: name(40), end: name(970) }, 1000), read.size]).toEqual([930, 24 + 10]);
  });

  test("reads the entries of the nodes that changed since", () => {
    const { tree, read } = treeOf(1000);
    expect([tree.count(all, 999), read.size]).toEqual([999, 32 + 40]);
    expect(tree.count(all, 500)).toBe(500);
  });

  test("reads no entries of a node without any live one", () => {
    const { tree, read } = treeOf(65, false);
    expect([tree.count({ from: name(10), end: name(60) }, 65), read.size]).toEqual([0, 0]);
  });

  test("does not count a live entry that is beside the range", () => {
    const { tree, put } = treeOf(3, false);
    put(name(0), 4);
    expect(tree.count({ from: name(1), end: undefined }, 4)).toBe(0);
    expect(tree.count({ from: "", end: name(1) }, 4)).toBe(1);
  });

  test("follows what is replaced and removed", () => {
    const { tree, put, remove } = treeOf(1000);
    put(name(500), 1001);
    put(name(501), 1002, false);
    remove(name(502));
    put(name(501), 1003, false);
    expect([1003, 1002, 1001, 1000].map((at) => tree.count(all, at))).toEqual([998, 999, 999, 998]);
  });
});

test("a write to a fork is in the fork alone, at every height", () => {
  const { tree } = treeOf(1000);
  const fork = tree.fork();
  fork.update(name(500), (entry) => entry && { ...entry, modRevision: 1001 });
  expect([tree, fork].map((one) => entryOf(one, name(500))?.modRevision)).toEqual([501, 1001]);
});

test("a tree of other values keeps the order of keys", () => {
  const { tree, put } = watchedTree();
  const keys = ["k/\uff00", "k/\uffee", "k/\u{1f600}", "k/\u{1f601}"];
  for (const [index, key] of keys.entries()) put(key, index + 1);
  const other = tree.map((entry) => ({ ...entry }));
  expect(keys.map((key) => entryOf(other, key)?.key)).toEqual(keys);
});
