import { describe, expect, test } from "vitest";
import { EventQueue } from "./event-queue.ts";
import { restored } from "./storage-error.ts";
import { type StoreEvent, Version } from "./stored-value.ts";
import { WakeUps, Watcher } from "./watch-feed.ts";

function event(revision: number): StoreEvent {
  const value = new Version("put", "k", {}, {}, revision, undefined);
  return { type: "put", revision, key: "k", value, previous: undefined };
}

function watcherOf(options: {
  capacity?: number;
  from?: number;
  replay?: number[];
  onEnd?: () => void;
}): Watcher<object> {
  const queue = new EventQueue(options.capacity ?? 10, (options.replay ?? []).map(event));
  return new Watcher(options.from ?? 0, queue, new WakeUps(), options.onEnd ?? (() => {}));
}

function publish(watcher: Watcher<object>, ...revisions: number[]): void {
  for (const revision of revisions) watcher.publish(event(revision));
}

const revisions = (events: readonly StoreEvent[]) => events.map(({ revision }) => revision);
const next = async (watcher: Watcher<object>) => (await watcher.next()).value?.revision;
const microtasks = () => new Promise<void>((resolve) => setTimeout(resolve));

describe("a watch feed", () => {
  test("returns the replay, then new events", async () => {
    const watcher = watcherOf({ replay: [1, 2] });
    publish(watcher, 3);
    expect([await next(watcher), await next(watcher), await next(watcher)]).toEqual([1, 2, 3]);
    const later = [next(watcher), next(watcher)];
    publish(watcher, 4, 5, 6);
    expect(await Promise.all(later)).toEqual([4, 5]);
    expect(revisions(watcher.drain())).toEqual([6]);
  });

  test("returns an event to a reader that waits, and then its end", async () => {
    const watcher = watcherOf({});
    const [first, second] = [watcher.next(), watcher.next()];
    publish(watcher, 1);
    watcher.close();
    expect(await first).toMatchObject({ done: false, value: { revision: 1 } });
    expect([await second, await watcher.return()]).toEqual([
      { done: true, value: undefined },
      { done: true, value: undefined },
    ]);
  });

  test.each([
    [4, [false, true, true, true]],
    [3, [false, true, true]],
  ])("is crowded from half of its capacity of %d on", (capacity, crowded) => {
    const watcher = watcherOf({ capacity });
    const seen = crowded.map((_, index) => {
      publish(watcher, index + 1);
      return watcher.isCrowded;
    });
    expect(seen).toEqual(crowded);
    watcher.drain();
    expect(watcher.isCrowded).toBe(false);
  });

  test("skips events up to its start", () => {
    const watcher = watcherOf({ from: 5 });
    publish(watcher, 4, 5, 6);
    expect(revisions(watcher.drain())).toEqual([6]);
  });

  test("is closed when a loop over it breaks", async () => {
    let ends = 0;
    const watcher = watcherOf({ replay: [1, 2], onEnd: () => ends++ });
    for await (const { revision } of watcher) if (revision === 1) break;
    expect([watcher.ended, watcher.error, ends]).toEqual([true, undefined, 1]);
    expect(await watcher.next()).toEqual({ done: true, value: undefined });
  });

  test("drops waiting events and throws once if it is too slow", async () => {
    let ends = 0;
    const watcher = watcherOf({ capacity: 2, onEnd: () => ends++ });
    publish(watcher, 1, 2, 3, 4);
    expect([watcher.ended, watcher.error?.reason, ends]).toEqual([true, "tooSlow", 1]);
    expect(watcher.drain()).toEqual([]);
    await expect(watcher.next()).rejects.toMatchObject({ reason: "tooSlow" });
    expect((await watcher.next()).done).toBe(true);
    expect(watcher.error?.reason).toBe("tooSlow");
  });

  test("ends waiting readers: one with the error, the others without", async () => {
    const watcher = watcherOf({});
    const waiting = [watcher.next(), watcher.next()];
    watcher.end(restored());
    const [first, second] = await Promise.allSettled(waiting);
    expect(first).toMatchObject({ status: "rejected", reason: { reason: "restored" } });
    expect(second).toEqual({ status: "fulfilled", value: { done: true, value: undefined } });
  });

  test("ends once: an error stays, and so does an end without one", () => {
    for (const errors of [
      [restored(), undefined],
      [undefined, restored()],
    ]) {
      let ends = 0;
      const watcher = watcherOf({ onEnd: () => ends++ });
      for (const error of errors) watcher.end(error);
      expect([watcher.error, ends]).toEqual([errors[0], 1]);
    }
  });

  test("skips events up to a revision, of two the later one", () => {
    const watcher = watcherOf({ from: 5 });
    watcher.skipTo(8);
    watcher.skipTo(6);
    publish(watcher, 6, 7, 8, 9);
    expect(revisions(watcher.drain())).toEqual([9]);
  });

  test("ends by a call of return, as when a loop breaks", async () => {
    const watcher = watcherOf({ replay: [1] });
    expect(await watcher.return()).toEqual({ done: true, value: undefined });
    expect([watcher.ended, watcher.drain()]).toEqual([true, []]);
  });

  test("ends waiting readers when it is closed", async () => {
    const watcher = watcherOf({});
    const waiting = watcher.next();
    watcher.close();
    publish(watcher, 1);
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(watcher.drain()).toEqual([]);
  });
});

describe("a callback of a watch feed", () => {
  test("is called once for all events of a turn, after the turn", async () => {
    const watcher = watcherOf({});
    const batches: number[][] = [];
    watcher.onReady(() => batches.push(revisions(watcher.drain())));
    publish(watcher, 1, 2);
    expect(batches).toEqual([]);
    await microtasks();
    publish(watcher, 3);
    await microtasks();
    expect(batches).toEqual([[1, 2], [3]]);
  });

  test("is not called before there are events", async () => {
    const watcher = watcherOf({});
    let calls = 0;
    watcher.onReady(() => calls++);
    await microtasks();
    expect(calls).toBe(0);
    publish(watcher, 1);
    await microtasks();
    expect(calls).toBe(1);
  });

  test("is called for events that were waiting, and for the end", async () => {
    const watcher = watcherOf({ replay: [1] });
    const seen: [number[], boolean][] = [];
    watcher.onReady(() => seen.push([revisions(watcher.drain()), watcher.ended]));
    await microtasks();
    watcher.close();
    await microtasks();
    expect(seen).toEqual([
      [[1], false],
      [[], true],
    ]);
    const ended: boolean[] = [];
    watcher.onReady(() => ended.push(watcher.ended));
    await microtasks();
    expect(ended).toEqual([true]);
  });

  test("ends its feed when it throws", async () => {
    const watcher = watcherOf({ replay: [1] });
    const cause = new Error("mine");
    let calls = 0;
    watcher.onReady(() => {
      calls++;
      throw cause;
    });
    await microtasks();
    publish(watcher, 2);
    await microtasks();
    expect([calls, watcher.ended, watcher.error?.reason, watcher.error?.cause]).toEqual([
      1,
      true,
      "callbackFailed",
      cause,
    ]);
  });
});
