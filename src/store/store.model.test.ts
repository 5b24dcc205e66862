import fc from "fast-check";
import { expect, test } from "vitest";
import type { Snapshot } from "./snapshot.ts";
import { Store } from "./store.ts";
import { unsharedBytes } from "./unshared-bytes.ts";

interface Item {
  readonly n: number;
  readonly revision: number;
}

interface Write {
  readonly key: string;
  readonly revision: number;
  readonly time: number;
  readonly value: Item | undefined;
  /** The size of the event. */
  readonly bytes: number;
}

const historyMilliseconds = 100;

/** The estimated size of an item, and of an event without its values. */
const itemBytes = unsharedBytes({ n: 1, revision: 1 }, undefined);
const eventBytes = 256;

/** A list of all writes, from which every read is computed. */
class Model {
  writes: Write[] = [];
  compacted = 1;
  readonly historyBytes: number;

  constructor(historyBytes: number) {
    this.historyBytes = historyBytes;
  }

  get revision(): number {
    return this.writes.at(-1)?.revision ?? 1;
  }

  copy(): Model {
    const copy = new Model(this.historyBytes);
    copy.writes = this.writes.slice();
    copy.compacted = this.compacted;
    return copy;
  }

  write(key: string, value: Item | undefined, time: number): void {
    const exists = this.has(key);
    // A delete keeps the last value in two versions, of which one has the revision of the delete.
    const values = (exists ? 1 : 0) + (value === undefined ? 1 : 0);
    const bytes = eventBytes + values * itemBytes;
    this.writes.push({ key, revision: this.revision + 1, time, value, bytes });
  }

  /** After a write. */
  limit(): void {
    const kept = this.writes.filter(({ revision }) => revision > this.compacted);
    let bytes = kept.reduce((sum, write) => sum + write.bytes, 0);
    if (bytes <= this.historyBytes) return;
    for (const write of kept) {
      if (bytes <= (this.historyBytes * 7) / 8) return;
      bytes -= write.bytes;
      this.compacted = write.revision;
    }
  }

  expire(now: number): void {
    for (const { revision, time } of this.writes) {
      if (time <= now - historyMilliseconds) this.compacted = Math.max(this.compacted, revision);
    }
  }

  has(key: string): boolean {
    return this.writes.findLast((write) => write.key === key)?.value !== undefined;
  }

  /** Live keys. */
  stateAt(at: number): Map<string, Item> {
    const state = new Map<string, Item>();
    for (const { key, revision, value } of this.writes) {
      if (revision > at) break;
      if (value === undefined) state.delete(key);
      else state.set(key, value);
    }
    return state;
  }

  range(prefix: string, start: string, limit: number, at: number): { items: Item[]; remaining: number } {
    const first = Buffer.from(start);
    const found = [...this.stateAt(at)]
      .filter(([key]) => key.startsWith(prefix))
      .map(([key, value]) => ({ bytes: Buffer.from(key), value }))
      .filter(({ bytes }) => first.compare(bytes) <= 0)
      .sort((a, b) => a.bytes.compare(b.bytes));
    const items = found.slice(0, limit === 0 ? undefined : limit).map(({ value }) => value);
    return { items, remaining: found.length - items.length };
  }
}

const key = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.tuple(fc.constantFrom("p/a/", "p/b/", "q/"), fc.nat(120)).map(([p, n]) => p + n),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom("p/a/\uffff", "p/a/\u{1f600}", "p/a", "p/", "", "p/a/\ue000x", "\u{10ffff}"),
  },
);
const prefix = fc.constantFrom("", "p/", "p/a/", "p/b/", "q/", "p/a/1", "x", "p/a/\uffff");
const change = fc.oneof(
  { weight: 10, arbitrary: fc.record({ put: key }) },
  { weight: 6, arbitrary: fc.record({ remove: key }) },
  { weight: 3, arbitrary: fc.record({ fill: prefix, count: fc.nat(150) }) },
  { weight: 2, arbitrary: fc.record({ empty: prefix }) },
  { weight: 2, arbitrary: fc.record({ compact: fc.double({ min: 0, max: 1, noNaN: true }) }) },
  { weight: 1, arbitrary: fc.constantFrom("fork" as const, "snapshot" as const) },
  { weight: 1, arbitrary: fc.record({ restore: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ advance: fc.nat(60) }) },
  { weight: 3, arbitrary: fc.record({ prefix, start: key, limit: fc.nat(20), back: fc.nat(300) }) },
);
/** How many bytes the history may have: none, few events, many, all. */
const size = fc.constantFrom(0, 2000, 20_000, Number.POSITIVE_INFINITY);
/** The index of a store, and a change of it. */
const step = fc.tuple(fc.nat(), change);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

interface Pair {
  readonly store: Store<Item>;
  model: Model;
}

class Run {
  readonly time = { now: 0 };
  readonly pairs: Pair[];
  readonly snapshots: { snapshot: Snapshot<Item>; model: Model }[] = [];
  n = 0;

  constructor(historyBytes: number) {
    const clock = {
      now: () => this.time.now,
      after: () => {
        throw new Error("the store sets no timers");
      },
    };
    const stamp = (value: Item, revision: number): Item => ({ ...value, revision });
    const store = new Store<Item>({
      clock,
      historyMilliseconds,
      historyBytes,
      stamp,
      labelsOf: () => ({}),
      watchCapacity: 1,
    });
    this.pairs = [{ store, model: new Model(historyBytes) }];
  }

  async take([target, one]: Step): Promise<void> {
    const pair = this.pairs[target % this.pairs.length];
    if (pair === undefined) return;
    const { store, model } = pair;
    if (one === "fork") this.pairs.push({ store: store.fork(), model: model.copy() });
    else if (one === "snapshot") this.snapshots.push({ snapshot: store.snapshot(), model: model.copy() });
    else if ("advance" in one) this.time.now += one.advance;
    else if ("put" in one) await this.put(pair, one.put);
    else if ("remove" in one) await this.remove(pair, one.remove);
    else if ("fill" in one) for (let i = 0; i < one.count; i++) await this.put(pair, `${one.fill}${i}`);
    else if ("empty" in one) {
      for (const name of model.stateAt(model.revision).keys()) {
        if (name.startsWith(one.empty)) await this.remove(pair, name);
      }
    } else if ("compact" in one) {
      const revision = 1 + Math.round(one.compact * (model.revision - 1));
      store.compact(revision);
      model.compacted = Math.max(model.compacted, revision);
    } else if ("restore" in one) this.restore(pair, one.restore);
    else expectSameRead(this, pair, one, model.revision - one.back);
  }

  restore(pair: Pair, which: number): void {
    const saved = this.snapshots[which % this.snapshots.length];
    if (saved === undefined) return;
    pair.store.restore(saved.snapshot);
    pair.model = saved.model.copy();
  }

  async put({ store, model }: Pair, name: string): Promise<void> {
    const value = { n: ++this.n, revision: 0 };
    model.write(name, { n: value.n, revision: model.revision + 1 }, this.time.now);
    await store.guaranteedUpdate(name, () => ({ type: "put", value }));
    model.expire(this.time.now);
    model.limit();
  }

  async remove({ store, model }: Pair, name: string): Promise<void> {
    const exists = model.has(name);
    if (exists) model.write(name, undefined, this.time.now);
    await store.guaranteedUpdate(name, () => ({ type: "delete" }));
    model.expire(this.time.now);
    if (exists) model.limit();
  }
}

interface Read {
  readonly prefix: string;
  readonly start: string;
  readonly limit: number;
}

function expectSameRead(run: Run, { store, model }: Pair, read: Read, at: number): void {
  const { prefix, start, limit } = read;
  model.expire(run.time.now);
  if (at < model.compacted) {
    expect(() => store.range({ prefix, at })).toThrow("has been compacted");
    expect(() => store.get(start, at)).toThrow("has been compacted");
    return;
  }
  const page = store.range({ prefix, start, limit, at });
  const expected = model.range(prefix, start, limit, at);
  expect(page.items.map(({ value }) => value)).toEqual(expected.items);
  expect([page.remaining, page.more]).toEqual([expected.remaining, expected.remaining > 0]);
  expect(store.get(start, at)?.value).toEqual(model.stateAt(at).get(start));
}

/** Compares all that can be read from a store; at some revisions only, if there are many. */
function expectSame(run: Run, pair: Pair): void {
  const { store, model } = pair;
  model.expire(run.time.now);
  expect([store.revision, store.compactRevision]).toEqual([model.revision, model.compacted]);
  const stride = Math.max(1, Math.floor((model.revision - model.compacted) / 40));
  for (let at = model.compacted; at <= model.revision; at += stride) {
    expectSameRead(run, pair, { prefix: "", start: "", limit: 0 }, at);
    expectSameRead(run, pair, { prefix: "p/", start: "p/a/5", limit: 3 }, at);
    expectSameRead(run, pair, { prefix: "p/a/", start: "", limit: 50 }, at);
  }
  expectSameRead(run, pair, { prefix: "", start: "", limit: 1 }, model.revision);
}

test("a store and all its forks and snapshots read like a list of all writes", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 40, size: "max" }),
      size,
      async (steps, bytes) => {
        const run = new Run(bytes);
        for (const one of steps) await run.take(one);
        for (const pair of run.pairs) expectSame(run, pair);
        for (const { snapshot, model } of run.snapshots) {
          const [first] = run.pairs;
          if (first === undefined) continue;
          first.store.restore(snapshot);
          expectSame(run, { store: first.store, model });
        }
      },
    ),
    { numRuns: 60 },
  );
}, 60_000);

test("writes to a fork change nothing that its origin reads, nor the other way round", async () => {
  const steps = fc.array(step, { maxLength: 20 });
  // Time would pass for a store and its forks alike, so these runs have none.
  const timeless = steps.map((all) =>
    all.filter(([, one]) => typeof one === "string" || !("advance" in one)),
  );
  const everything = (store: Store<Item>) => {
    const feed = store.watch({ prefix: "", from: store.compactRevision });
    return [store.range({ prefix: "" }), feed.drain(), feed.close()];
  };
  await fc.assert(
    fc.asyncProperty(steps, timeless, fc.boolean(), size, async (before, after, isOriginIdle, bytes) => {
      const run = new Run(bytes);
      for (const one of before) await run.take(one);
      const [origin] = run.pairs.splice(0);
      if (origin === undefined) return;
      const fork = origin.store.fork();
      const [idle, busy] = isOriginIdle ? [origin.store, fork] : [fork, origin.store];
      const seen = everything(idle);
      run.pairs.push({ store: busy, model: origin.model.copy() });
      for (const one of after) await run.take(one);
      expect(everything(idle)).toEqual(seen);
    }),
    { numRuns: 60 },
  );
}, 60_000);
