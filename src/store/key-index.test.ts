import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { collectGarbage } from "../../test/arbitraries/collect-garbage.ts";
import { compactEntry, type KeyEntry, KeyIndex, type KeyVersion, putVersion } from "./key-index.ts";

const owner = {};
/** A positive number is a put at that revision, a negative one a delete. */
const version = (write: number): KeyVersion => ({
  key: "k",
  modRevision: Math.abs(write),
  tombstone: write < 0,
});

function entryOf(writes: readonly number[]): KeyEntry<KeyVersion> | undefined {
  let entry: KeyEntry<KeyVersion> | undefined;
  for (const write of writes) entry = putVersion(entry, version(write), owner);
  return entry;
}

/** The revisions that readers see at the revisions 1 to 10. */
function seen(entry: KeyEntry<KeyVersion> | undefined): (number | undefined)[] {
  return Array.from({ length: 10 }, (_, i) => {
    if (entry instanceof KeyIndex) return entry.at(i + 1)?.modRevision;
    return entry !== undefined && entry.modRevision <= i + 1 ? entry.modRevision : undefined;
  });
}

const no = undefined;

describe("KeyIndex", () => {
  test.each([
    [[3], [no, no, 3, 3, 3, 3, 3, 3, 3, 3]],
    [
      [3, 5],
      [no, no, 3, 3, 5, 5, 5, 5, 5, 5],
    ],
    [
      [3, 5, -6],
      [no, no, 3, 3, 5, no, no, no, no, no],
    ],
    [
      [3, 5, -6, 9],
      [no, no, 3, 3, 5, no, no, no, 9, 9],
    ],
    [
      [1, -2, 3, -4, 5, -6],
      [1, no, 3, no, 5, no, no, no, no, no],
    ],
  ])("after the writes %j readers see the last one before them", (writes, expected) => {
    expect(seen(entryOf(writes))).toEqual(expected);
  });

  test("has the revision of the last write", () => {
    const [put, deleted] = [entryOf([3, 5]), entryOf([3, -6])];
    expect([put, deleted].map((entry) => entry instanceof KeyIndex && entry.live)).toEqual([true, false]);
    expect([put?.modRevision, deleted?.modRevision, deleted?.key]).toEqual([5, 6, "k"]);
  });

  test.each([
    [[3], 9, [3]],
    [[3, 5], 4, [3, 5]],
    [[3, 5], 5, [5]],
    [[3, 5, -6], 2, [3, 5, -6]],
    [[3, 5, -6], 5, [5, -6]],
    [[3, 5, -6], 6, []],
    [[3, 5, -6, 9], 6, [9]],
    [[3, 5, -6, 8, 9], 6, [8, 9]],
    [[3, 5, -6, 8, 9], 8, [8, 9]],
    [[3, 5, -6, 8, 9], 9, [9]],
  ])("%j compacted at %d is %j", (writes, revision, kept) => {
    const [entry, expected] = [compactEntry(entryOf(writes), revision, owner), entryOf(kept)];
    expect(seen(entry)).toEqual(seen(expected));
    expect(entry instanceof KeyIndex).toBe(expected instanceof KeyIndex);
  });

  test("gives the same versions as before from the compacted revision on", () => {
    const writes = [1, 2, -3, 4, -5, 7, 8, -10];
    for (let revision = 0; revision <= 10; revision++) {
      const compacted = seen(compactEntry(entryOf(writes), revision, owner));
      expect(compacted.slice(Math.max(0, revision - 1))).toEqual(
        seen(entryOf(writes)).slice(Math.max(0, revision - 1)),
      );
    }
  });

  test("is changed in place for its owner only", () => {
    const entry = entryOf([1, 2, 3]);
    const before = seen(entry);
    const other = {};
    expect(seen(putVersion(entry, version(9), other))).toEqual([1, 2, 3, 3, 3, 3, 3, 3, 9, 9]);
    expect(seen(compactEntry(entry, 2, other))[0]).toBe(undefined);
    expect(seen(entry)).toEqual(before);
    expect(putVersion(entry, version(4), owner)).toBe(entry);
    expect(compactEntry(entry, 2, owner)).toBe(entry);
    expect(seen(entry)).toEqual([no, 2, 3, 4, 4, 4, 4, 4, 4, 4]);
  });
});

test("a key of which some versions were dropped is read and changed like another one", () => {
  const kept = [no, no, no, 4, 5, 6, 7, 8, 9, 9];
  const entry = compactEntry(entryOf([1, 2, 3, 4, 5, 6, 7, 8, 9]), 4, owner);
  expect(seen(entry)).toEqual(kept);
  expect(seen(compactEntry(entry, 3, owner))).toEqual(kept);
  expect(seen(putVersion(entry, version(10), {}))).toEqual([...kept.slice(0, 9), 10]);
  expect(seen(compactEntry(entry, 6, {}))).toEqual([no, no, no, no, no, ...kept.slice(5)]);
});

test("dropped versions are not held", async () => {
  const writes = [1, 2, 3, 4, 5, 6, 7, 8];
  const versions = writes.map(version);
  const refs = versions.map((one) => new WeakRef(one));
  let entry: KeyEntry<KeyVersion> | undefined;
  for (const one of versions.splice(0)) entry = putVersion(entry, one, owner);
  for (const revision of [2, 3]) {
    entry = compactEntry(entry, revision, owner);
    await collectGarbage();
    const held = refs.map((ref) => ref.deref()?.modRevision);
    expect(held).toEqual(writes.map((write) => (write < revision ? undefined : write)));
  }
  expect(entry?.modRevision).toBe(8);
});

test("a history compacted revision by revision reads like one that was compacted at once", () => {
  const puts = fc.array(fc.boolean(), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(puts, fc.nat(60), fc.nat(60), (isPut, last, forkAt) => {
      // Only a key that exists is deleted.
      const writes = isPut.map((put, i) => (put || isPut[i - 1] !== true ? i + 1 : -i - 1));
      let slowly = entryOf(writes);
      let current: object = owner;
      for (let revision = 1; revision <= last; revision++) {
        // Another owner copies instead of changing in place.
        if (revision === forkAt) current = {};
        slowly = compactEntry(slowly, revision, current);
      }
      const atOnce = last === 0 ? entryOf(writes) : compactEntry(entryOf(writes), last, owner);
      const visible = (entry: KeyEntry<KeyVersion> | undefined) =>
        isPut.map((_, i) => {
          const at = Math.max(last, i + 1);
          if (entry instanceof KeyIndex) return entry.at(at)?.modRevision;
          return entry !== undefined && entry.modRevision <= at && !entry.tombstone
            ? entry.modRevision
            : undefined;
        });
      expect(visible(slowly)).toEqual(visible(atOnce));
      const added = version(61);
      const [a, b] = [slowly, atOnce].map((entry) => putVersion(entry, added, {}));
      expect(visible(a)).toEqual(visible(b));
    }),
  );
});
