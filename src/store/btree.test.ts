import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { entryOf } from "../../test/store/entry-of.ts";
import { BTree } from "./btree.ts";
import type { TreeEntry } from "./btree-node.ts";

class Entry implements TreeEntry {
  readonly key: string;
  readonly modRevision: number;
  readonly live: boolean;
  constructor(key: string, modRevision: number, live: boolean) {
    this.key = key;
    this.modRevision = modRevision;
    this.live = live;
  }
  /** A dead entry was live before its revision; a live one is new. */
  at(revision: number): this | undefined {
    return this.live === this.modRevision <= revision ? this : undefined;
  }
}

type Model = Map<string, Entry>;

function within(model: Model, from: string, end: string | undefined): Entry[] {
  const [first, last] = [Buffer.from(from), end === undefined ? undefined : Buffer.from(end)];
  return [...model.values()]
    .map((entry) => ({ entry, bytes: Buffer.from(entry.key) }))
    .filter(({ bytes }) => first.compare(bytes) <= 0 && (last === undefined || last.compare(bytes) > 0))
    .sort((a, b) => a.bytes.compare(b.bytes))
    .map(({ entry }) => entry);
}

/** One text, which is compared much faster than a list of thousands. */
const textOf = (entries: readonly Entry[]) =>
  entries.map(({ key, modRevision }) => `${key}@${modRevision}`).join(" ");

function scanned(tree: BTree<Entry>, from: string, end: string | undefined, at: number): Entry[] {
  const found: Entry[] = [];
  tree.scan({ from, end }, at, (entries, first, last) => {
    found.push(...entries.slice(first, last));
    return "some";
  });
  return found;
}

function expectSame(
  tree: BTree<Entry>,
  model: Model,
  from: string,
  end: string | undefined,
  at: number,
): void {
  const expected = within(model, from, end);
  const isSeen = (entry: Entry) => entry.at(at) !== undefined;
  expect(textOf(scanned(tree, from, end, at).filter(isSeen))).toBe(textOf(expected.filter(isSeen)));
  expect(tree.count({ from, end }, at)).toBe(expected.filter(isSeen).length);
}

const misplaced = ["k/\uffff", "k/\u{1f600}", "k/\ue000", "\u{10ffff}", "k/\u{10000}", "k/\uff21"];

// Few keys, so that they repeat; enough of them for nodes to split and join; and some that UTF-16 orders differently.
const key = fc.oneof(
  { weight: 20, arbitrary: fc.nat(3000).map((n) => `k/${n}`) },
  { weight: 3, arbitrary: fc.constantFrom(...misplaced, "") },
);
const step = fc.oneof(
  { weight: 20, arbitrary: fc.record({ put: key, live: fc.boolean() }) },
  { weight: 5, arbitrary: fc.record({ remove: key }) },
  {
    weight: 2,
    arbitrary: fc.record({
      fill: fc.nat(3000),
      count: fc.nat(1200),
      stride: fc.integer({ min: 1, max: 40 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ empty: fc.nat(3000), count: fc.nat(1500) }) },
  { weight: 1, arbitrary: fc.constant("fork" as const) },
);

describe("BTree", () => {
  test("equals a sorted map in every fork", () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 60, size: "max" }),
        fc.array(
          fc.tuple(key, fc.option(key, { nil: undefined }), fc.double({ min: 0, max: 1.1, noNaN: true })),
          {
            minLength: 5,
            maxLength: 10,
          },
        ),
        (steps, ranges) => {
          let revision = 0;
          const trees: { tree: BTree<Entry>; model: Model }[] = [{ tree: new BTree(), model: new Map() }];
          const put = (n: number, name: string, live: boolean) => {
            const target = trees[n % trees.length];
            const entry = new Entry(name, ++revision, live);
            target?.tree.update(name, () => entry);
            target?.model.set(name, entry);
          };
          const remove = (n: number, name: string) => {
            const target = trees[n % trees.length];
            target?.tree.update(name, () => undefined);
            target?.model.delete(name);
          };
          steps.forEach((one, n) => {
            if (one === "fork") {
              const source = trees[n % trees.length];
              if (source) trees.push({ tree: source.tree.fork(), model: new Map(source.model) });
            } else if ("put" in one) put(n, one.put, one.live);
            else if ("remove" in one) remove(n, one.remove);
            else if ("fill" in one) {
              for (let i = 0; i < one.count; i++)
                put(n, `k/${(one.fill + i * one.stride) % 3000}`, i % 7 > 0);
            } else for (let i = 0; i < one.count; i++) remove(n, `k/${(one.empty + i) % 3000}`);
          });
          for (const { tree, model } of trees) {
            expectSame(tree, model, "", undefined, revision);
            for (const [from, end, share] of ranges)
              expectSame(tree, model, from, end, Math.floor(share * revision));
            for (const name of misplaced) expect(entryOf(tree, name)).toBe(model.get(name));
            for (const [name] of ranges) expect(entryOf(tree, name)).toBe(model.get(name));
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  test("needs few nodes for the entries that are left", () => {
    const tree = new BTree<Entry>();
    const size = 9000;
    const name = (i: number) => `k/${String(i).padStart(4, "0")}`;
    for (let i = 0; i < size; i++) tree.update(name(i), () => new Entry(name(i), i, true));
    const leaves = () => {
      let count = 0;
      tree.scan({ from: "", end: undefined }, size, () => {
        count += 1;
        return "some";
      });
      return count;
    };
    const full = leaves();
    for (let i = 0; i < size; i++) if (i % 90 > 0) tree.update(name(i), () => undefined);
    expect(tree.count({ from: "", end: undefined }, size)).toBe(100);
    expect(leaves()).toBeLessThan(full / 20);
  });

  test("counts and finds entries at every height", () => {
    const tree = new BTree<Entry>();
    const model: Model = new Map();
    const size = 9000;
    const name = (i: number) => `k/${String(i).padStart(4, "0")}`;
    const check = () => {
      for (const [from, end] of [
        [0, size],
        [1, 8999],
        [4000, 4001],
        [2500, 7000],
        [100, 300],
      ] as const) {
        expectSame(tree, model, name(from), name(end), size);
        expectSame(tree, model, name(from), name(end), size / 2);
      }
      for (let i = 0; i < size; i += 100) expect(entryOf(tree, name(i))).toBe(model.get(name(i)));
    };
    // Visits all keys in strides, and those that are removed.
    for (let n = 0; n < size; n++) {
      const entry = new Entry(name((n * 3571) % size), n, n % 5 > 0);
      tree.update(entry.key, () => entry);
      model.set(entry.key, entry);
    }
    check();
    for (const [from, end] of [
      [0, 2400],
      [2600, 6900],
      [2410, 2590],
    ] as const) {
      for (let i = from; i < end; i++) {
        tree.update(name(i), () => undefined);
        model.delete(name(i));
      }
      check();
    }
  });

  test("a scan stops when the visitor ends it", () => {
    const tree = new BTree<Entry>();
    for (let i = 0; i < 500; i++) tree.update(`k/${i}`, () => new Entry(`k/${i}`, i, true));
    let visits = 0;
    tree.scan({ from: "", end: undefined }, 500, () => (++visits < 2 ? "some" : "end"));
    expect(visits).toBe(2);
  });

  test("a page out of 100,000 keys reads little more than its own entries, and so does counting the rest", () => {
    const touched = new Set<string>();
    /** An entry that records its readers. */
    class Watched extends Entry {
      override at(revision: number): this | undefined {
        touched.add(this.key);
        return super.at(revision);
      }
    }
    const tree = new BTree<Entry>();
    const name = (i: number) => `k/${String(i).padStart(6, "0")}`;
    for (let i = 0; i < 100_000; i++) tree.update(name(i), () => new Watched(name(i), i, true));
    for (const first of [0, 50_000, 99_000]) {
      const page: string[] = [];
      tree.scan({ from: name(first), end: undefined }, 100_000, (entries, from, to) => {
        for (let i = from; i < to && page.length < 500; i++) {
          const entry = entries[i];
          if (entry?.at(100_000) !== undefined) page.push(entry.key);
        }
        return page.length < 500 ? "some" : "end";
      });
      expect([page.length, page[0], page[499]]).toEqual([500, name(first), name(first + 499)]);
      const after = { from: `${page[499]}\0`, end: undefined };
      expect(tree.count(after, 100_000)).toBe(100_000 - first - 500);
      // A node has at most 64 entries; the page can end within one.
      expect(touched.size).toBeLessThanOrEqual(500 + 64);
      touched.clear();
    }
  });

  test("passes the entry and the owner to the change, and another owner after a fork", () => {
    const tree = new BTree<Entry>();
    const entry = new Entry("k", 1, true);
    const seen: unknown[] = [];
    const note = (found: Entry | undefined, owner: object) => {
      seen.push(found, owner);
      return entry;
    };
    tree.update("k", note);
    tree.update("k", note);
    const copy = tree.fork();
    tree.update("k", note);
    copy.update("k", note);
    expect([seen[0], seen[2], seen[4], seen[6]]).toEqual([undefined, entry, entry, entry]);
    expect(seen[1]).toBe(seen[3]);
    expect(new Set([seen[1], seen[5], seen[7]]).size).toBe(3);
  });
});
