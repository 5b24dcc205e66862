import { describe, expect, test } from "vitest";
import { collectGarbage } from "../../test/arbitraries/collect-garbage.ts";
import { Keyspace } from "./keyspace.ts";
import { type Encoded, RecentEncodings } from "./recent-encodings.ts";
import { type StoredValue, Version } from "./stored-value.ts";

interface Item {
  readonly n: number;
}

/** Encodes to that many bytes, and counts. */
class Encoder {
  calls = 0;
  readonly size: number;

  constructor(size: number) {
    this.size = size;
  }

  encoded(value: StoredValue<Item>): Uint8Array {
    return value.encoded("text/plain", () => {
      this.calls += 1;
      return new Uint8Array(this.size);
    });
  }
}

const version = (n: number) => new Version<Item>("put", "a", { n }, {}, n, undefined);

describe("the encodings of a version", () => {
  test("are kept while it is the newest", () => {
    const encoder = new Encoder(1000);
    const newest = version(1);
    for (let i = 0; i < 3; i++) encoder.encoded(newest);
    expect(encoder.calls).toBe(1);
  });

  test("are dropped after those of later superseded versions need more memory than there is", () => {
    const recent = new RecentEncodings(2500);
    const encoder = new Encoder(1000);
    const versions = [1, 2, 3].map(version);
    for (const one of versions) {
      encoder.encoded(one);
      one.supersede(recent);
    }
    expect(versions.map((one) => one.isEncoded("text/plain"))).toEqual([false, true, true]);
    expect(recent.bytes).toBe(2000);
  });

  test("count if they are made after it was superseded", () => {
    const recent = new RecentEncodings(2500);
    const encoder = new Encoder(1000);
    const versions = [1, 2, 3].map(version);
    for (const one of versions) one.supersede(recent);
    for (const one of [...versions, ...versions]) encoder.encoded(one);
    expect(recent.bytes).toBe(2000);
    expect(encoder.calls).toBe(6);
  });

  test("count once, also if it is superseded in a fork as well", () => {
    const recent = new RecentEncodings(2500);
    const old = version(1);
    new Encoder(1000).encoded(old);
    old.supersede(recent);
    old.supersede(recent);
    expect(recent.bytes).toBe(1000);
  });

  test("are not kept if one is larger than the memory for all", () => {
    const recent = new RecentEncodings(500);
    const old = version(1);
    old.supersede(recent);
    new Encoder(1000).encoded(old);
    expect([old.isEncoded("text/plain"), recent.bytes]).toEqual([false, 0]);
  });
});

describe("the encodings of a version for its write", () => {
  const encode = () => new Uint8Array(1000);
  const formsOf = (one: Version<Item>) => ["json", "frame"].filter((form) => one.isEncoded(form));

  /** Versions that are encoded for their writes, of which `room` bytes are kept. */
  function written(room: number, use: (one: Version<Item>) => void = () => {}): Version<Item>[] {
    const ofWrites = new RecentEncodings(room);
    return [1, 2, 3].map((n) => {
      const one = version(n);
      one.countWrites(ofWrites);
      one.encoded("json", encode, "write");
      use(one);
      return one;
    });
  }

  test("are dropped when later ones need the room", () => {
    expect(written(2500).map(formsOf)).toEqual([[], ["json"], ["json"]]);
  });

  test("are kept once a read needs them", () => {
    const versions = written(1500, (one) => one.encoded("json", encode));
    expect(versions.map(formsOf)).toEqual([["json"], ["json"], ["json"]]);
  });

  test("are dropped alone: those for reads stay", () => {
    const versions = written(1500, (one) => one.encoded("frame", encode, "read"));
    expect(versions.map(formsOf)).toEqual([["frame"], ["frame"], ["json", "frame"]]);
  });

  test("are those of superseded versions once the version is one", () => {
    const ofWrites = new RecentEncodings(2500);
    const recent = new RecentEncodings(5000);
    const [first, second] = [version(1), version(2)];
    for (const one of [first, second]) one.countWrites(ofWrites);
    first.supersede(recent);
    for (const one of [first, second])
      for (const form of ["json", "frame"]) one.encoded(form, encode, "write");
    expect([first, second].map(formsOf)).toEqual([
      ["json", "frame"],
      ["json", "frame"],
    ]);
    expect([recent.bytes, ofWrites.bytes]).toEqual([2000, 2000]);
  });
});

test("a keyspace keeps 256 KiB of the encodings for its writes, and its forks share them", () => {
  const keyspace = Keyspace.empty<Item>(1);
  const fork = keyspace.fork();
  const encode = () => new Uint8Array(100 * 1024);
  const versions = [keyspace, keyspace, fork].map((written) => {
    const revision = written.revision + 1;
    const one = new Version<Item>("put", `key-${revision}`, { n: revision }, {}, revision, undefined);
    written.write(one, undefined, 0);
    one.encoded("json", encode, "write");
    return one;
  });
  expect(versions.map((one) => one.isEncoded("json"))).toEqual([false, true, true]);
});

/** Adds encodings of these sizes, and says for each whether it is dropped then. */
function dropped(recent: RecentEncodings, sizes: readonly number[]): readonly boolean[] {
  const gone = new Set<number>();
  for (const [i, size] of sizes.entries()) {
    const encoded: Encoded = { dropEncodings: () => void gone.add(i) };
    recent.add(encoded, size);
  }
  return sizes.map((_, i) => gone.has(i));
}

test.each([
  [
    [1000, 1000],
    [false, false],
  ],
  [
    [1000, 1000, 1],
    [true, false, false],
  ],
  [
    [500, 500, 500, 500, 1500],
    [true, true, true, false, false],
  ],
  [
    [500, 2001, 1],
    [true, true, false],
  ],
])("with room for 2,000 bytes, of encodings of %j bytes these are dropped: %j", (sizes, expected) => {
  const recent = new RecentEncodings(2000);
  expect(dropped(recent, sizes)).toEqual(expected);
  expect(recent.bytes).toBe(sizes.filter((_, i) => !expected[i]).reduce((sum, size) => sum + size, 0));
});

test("by default, there is room for 2 MiB", () => {
  const room = 2 * 1024 * 1024;
  expect(dropped(new RecentEncodings(), [1, room - 1])).toEqual([false, false]);
  expect(dropped(new RecentEncodings(), [1, room])).toEqual([true, false]);
});

test("versions without encodings are not held", async () => {
  const recent = new RecentEncodings(1000);
  const refs = Array.from({ length: 200 }, (_, n) => {
    const old = version(n);
    new Encoder(100).encoded(old);
    old.supersede(recent);
    return new WeakRef(old);
  });
  await collectGarbage();
  // The lists of ten versions hold at most as many that are dropped.
  expect(refs.filter((ref) => ref.deref() !== undefined).length).toBeLessThanOrEqual(21);
});

test("a write supersedes the version before it, and a delete its own", () => {
  const keyspace = Keyspace.empty<Item>(1);
  const first = new Version<Item>("put", "a", { n: 1 }, {}, 2, undefined);
  const last = new Version<Item>("delete", "a", { n: 1 }, {}, 3, first);
  const encoder = new Encoder(20 * 1024 * 1024);
  keyspace.write(first, undefined, 0);
  encoder.encoded(first);
  expect(first.isEncoded("text/plain")).toBe(true);
  keyspace.write(last, first, 0);
  encoder.encoded(last);
  expect([first, last].map((one) => one.isEncoded("text/plain"))).toEqual([false, false]);
});
