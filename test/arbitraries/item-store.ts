import type { Clock } from "../../src/apimachinery/clock.ts";
import { Store, type StoreOptions } from "../../src/store/store.ts";

export interface Item {
  readonly n: number;
  readonly revision?: number;
  readonly deep?: { readonly list: number[] };
}

/** A clock that only moves when it is set. */
export function clockAt(time: { now: number }): Clock {
  return {
    now: () => time.now,
    after: () => {
      throw new Error("the store sets no timers");
    },
  };
}

/** A store of items with a short history, each stamped with its revision. */
export function storeOf(options: Partial<StoreOptions<Item>> = {}): Store<Item> {
  return new Store<Item>({
    clock: clockAt({ now: 0 }),
    historyMilliseconds: 1000,
    historyBytes: Number.POSITIVE_INFINITY,
    stamp: (value, revision) => ({ ...value, revision }),
    labelsOf: ({ n }) => ({ n: String(n) }),
    watchCapacity: 3,
    ...options,
  });
}

/** Writes an item under the key. */
export const put = (
  store: Store<Item>,
  key: string,
  n: number,
): ReturnType<Store<Item>["guaranteedUpdate"]> =>
  store.guaranteedUpdate(key, () => ({ type: "put", value: { n } }));
