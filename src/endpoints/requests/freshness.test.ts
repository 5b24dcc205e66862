import { describe, expect, test } from "vitest";
import { VirtualClock } from "../../apimachinery/clock.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { Store } from "../../store/store.ts";
import { reachRevision } from "./freshness.ts";

/** A store whose next write has the revision 2. */
function storeAndClock() {
  const clock = new VirtualClock(0);
  const store = new Store<KubeObject>({
    clock,
    historyMilliseconds: 300_000,
    historyBytes: Number.POSITIVE_INFINITY,
    stamp: (value) => value,
    labelsOf: () => ({}),
    watchCapacity: 10,
  });
  const write = () =>
    store.guaranteedUpdate(`/a/${store.revision}`, () => ({
      type: "put",
      value: { apiVersion: "v1", kind: "X", metadata: {} },
    }));
  return { clock, store, write };
}

const { signal } = new AbortController();

describe("a read from a revision", () => {
  test("that the store has does not wait", () => {
    const { clock, store } = storeAndClock();
    expect(reachRevision({ store, clock }, store.revision, "1", { signal })).toBeUndefined();
    expect(reachRevision({ store, clock }, 0, "0", { signal })).toBeUndefined();
  });

  test("that the store reaches waits for it", async () => {
    const { clock, store, write } = storeAndClock();
    let isReached = false;
    const reached = reachRevision({ store, clock }, 3, "3", { signal })?.then(() => {
      isReached = true;
    });
    await write();
    await clock.advance(2999);
    expect(isReached).toBe(false);
    await write();
    await reached;
    expect([isReached, store.revision]).toEqual([true, 3]);
  });

  test("that the store does not reach within three seconds fails", async () => {
    const { clock, store } = storeAndClock();
    const failure = reachRevision({ store, clock }, 9, "0009", { signal })?.catch((error: unknown) => error);
    await clock.advance(3000);
    expect(await failure).toMatchObject({
      message: "Timeout: Too large resource version: 9, current: 1",
      code: 504,
    });
  });

  test("takes in whatever is written meanwhile, and leaves nothing behind", async () => {
    const { store, write } = storeAndClock();
    const steps: string[] = [];
    const clock = { now: () => 0, after: () => ({ cancel: () => steps.push("cancel") }) };
    const feeds: { readonly ended: boolean }[] = [];
    const watch = (...options: Parameters<typeof store.watch>) => {
      const feed = store.watch(...options);
      feeds.push(feed);
      return feed;
    };
    // Nothing else is read.
    const part = {
      watch,
      get revision() {
        return store.revision;
      },
    } as unknown as typeof store;
    const reached = reachRevision({ store: part, clock: clock as unknown as VirtualClock }, 20, "20", {
      signal,
    });
    while (store.revision < 20) await write();
    await reached;
    expect([new Set(steps), feeds.map(({ ended }) => ended)]).toEqual([new Set(["cancel"]), [true]]);
  });

  test("ends if the client leaves", async () => {
    const { clock, store } = storeAndClock();
    const client = new AbortController();
    const failure = reachRevision({ store, clock }, 9, "9", client)?.catch((error: unknown) => error);
    client.abort();
    expect(await failure).toMatchObject({ code: 504 });
  });
});
