import fc from "fast-check";
import { expect, test } from "vitest";
import { hasPrefix } from "./prefix-index.ts";
import type { Snapshot } from "./snapshot.ts";
import { Store } from "./store.ts";
import type { StoreEvent } from "./stored-value.ts";
import type { WatchFeed } from "./watch-feed.ts";

interface Item {
  readonly n: number;
}

const historyMilliseconds = 100;
const watchCapacity = 4;
const prefixes = ["", "p/", "p/a/", "p/a/1", "q/", "p"];
const keys = ["p/a/1", "p/a/12", "p/b/1", "q/1", "p"];

const step = fc.oneof(
  { weight: 10, arbitrary: fc.record({ write: fc.constantFrom(...keys), isDelete: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({ watch: fc.constantFrom(...prefixes), back: fc.integer({ min: -3, max: 30 }) }),
  },
  {
    weight: 8,
    arbitrary: fc.record({ read: fc.nat(), how: fc.constantFrom("next", "next", "drain", "wait") }),
  },
  { weight: 1, arbitrary: fc.record({ close: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ compact: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ advance: fc.nat(80) }) },
  { weight: 1, arbitrary: fc.constantFrom("snapshot" as const, "restore" as const) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** A watcher, and the events that it must see according to the log. */
interface Observer {
  readonly feed: WatchFeed<Item>;
  readonly prefix: string;
  readonly from: number;
  /** The received revisions, in order. */
  readonly seen: number[];
  /** The revisions that must have been received or must be waiting. */
  readonly due: number[];
  replayLength: number;
  /** The number of reads that wait for an event. */
  pending: number;
  end: "compacted" | "tooSlow" | "restored" | "closed" | undefined;
}

class Run {
  readonly time = { now: 0 };
  readonly store: Store<Item>;
  readonly observers: Observer[] = [];
  readonly reads: Promise<unknown>[] = [];
  log: { event: StoreEvent<Item>; time: number }[] = [];
  compacted = 1;
  saved: { snapshot: Snapshot<Item>; log: Run["log"]; compacted: number } | undefined;

  constructor() {
    const clock = {
      now: () => this.time.now,
      after: () => {
        throw new Error("the store sets no timers");
      },
    };
    this.store = new Store<Item>({
      clock,
      historyMilliseconds,
      historyBytes: Number.POSITIVE_INFINITY,
      stamp: (value) => value,
      labelsOf: () => ({}),
      watchCapacity,
    });
  }

  async take(one: Step): Promise<void> {
    if (one === "snapshot") this.saved = this.save();
    else if (one === "restore") this.restore();
    else if ("write" in one) await this.write(one.write, one.isDelete);
    else if ("watch" in one) this.watch(one.watch, this.store.revision - one.back);
    else if ("read" in one) await this.read(this.observers[one.read % this.observers.length], one.how);
    else if ("close" in one) this.close(this.observers[one.close % this.observers.length]);
    else if ("advance" in one) this.time.now += one.advance;
    else {
      const revision = Math.max(1, this.store.revision - one.compact);
      this.store.compact(revision);
      this.compacted = Math.max(this.compacted, revision);
    }
  }

  save(): NonNullable<Run["saved"]> {
    return { snapshot: this.store.snapshot(), log: this.log.slice(), compacted: this.compacted };
  }

  restore(): void {
    if (this.saved === undefined) return;
    this.store.restore(this.saved.snapshot);
    this.log = this.saved.log.slice();
    this.compacted = this.saved.compacted;
    for (const observer of this.observers) end(observer, "restored");
  }

  async write(key: string, isDelete: boolean): Promise<void> {
    const result = await this.store.guaranteedUpdate(key, () =>
      isDelete ? { type: "delete" } : { type: "put", value: { n: this.log.length } },
    );
    if (result.type === "unchanged") return;
    this.log.push({ event: result, time: this.time.now });
    for (const observer of this.observers) {
      if (observer.end !== undefined || result.revision <= observer.from) continue;
      if (!hasPrefix(key, observer.prefix)) continue;
      const live = observer.due.length - Math.max(observer.seen.length, observer.replayLength);
      if (observer.pending > 0) observer.pending--;
      else if (live >= watchCapacity) {
        end(observer, "tooSlow");
        continue;
      }
      observer.due.push(result.revision);
    }
    await settled();
  }

  watch(prefix: string, from: number): void {
    for (const { event, time } of this.log) {
      const isOver = time <= this.time.now - historyMilliseconds;
      if (isOver) this.compacted = Math.max(this.compacted, event.revision);
    }
    const feed = this.store.watch({ prefix, from });
    const matching = this.log.filter(({ event }) => event.revision > from && hasPrefix(event.key, prefix));
    const due = matching.map(({ event }) => event.revision);
    const observer: Observer = {
      feed,
      prefix,
      from,
      seen: [],
      due,
      replayLength: due.length,
      pending: 0,
      end: undefined,
    };
    if (from < this.compacted) end(observer, "compacted");
    this.observers.push(observer);
  }

  async read(observer: Observer | undefined, how: string): Promise<void> {
    if (observer === undefined) return;
    const { feed, seen, due } = observer;
    if (how === "drain") seen.push(...feed.drain().map(({ revision }) => revision));
    else if (due.length > seen.length || how === "wait") {
      if (due.length === seen.length && observer.end === undefined) observer.pending++;
      const read = feed.next().then(
        ({ done, value }) => !done && seen.push(value.revision),
        (error) => expect(error).toBe(feed.error),
      );
      this.reads.push(read);
    }
    await settled();
    expect(seen).toEqual(due.slice(0, seen.length));
  }

  close(observer: Observer | undefined): void {
    observer?.feed.close();
    if (observer) end(observer, "closed");
  }
}

/** Waiting events are dropped; received ones are kept. */
function end(observer: Observer, reason: NonNullable<Observer["end"]>): void {
  if (observer.end !== undefined) return;
  observer.end = reason;
  observer.due.length = observer.seen.length;
  observer.pending = 0;
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await Promise.resolve();
}

test("every watcher gets exactly the events after its start, in order, or an error", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 120, size: "max" }), async (steps) => {
      const run = new Run();
      for (const one of steps) await run.take(one);
      for (const { feed, seen, due, end: reason } of run.observers) {
        seen.push(...feed.drain().map(({ revision }) => revision));
        expect(seen).toEqual(due);
        expect([feed.ended, feed.error?.reason]).toEqual([
          reason !== undefined,
          reason === "closed" ? undefined : reason,
        ]);
        feed.close();
      }
      await Promise.all(run.reads);
    }),
    { numRuns: 300 },
  );
});
