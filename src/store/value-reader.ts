import { messageOf } from "../apimachinery/errors/message-of.ts";
import { deepFreeze } from "./deep-freeze.ts";
import type { Keyspace, RangeOptions, RangePage } from "./keyspace.ts";
import { type StoredValue, Version } from "./stored-value.ts";

/** How a release reads a value that another one wrote. */
export type Reading<T extends object> = { readonly value: T } | { readonly unreadable: string };

/** Shows the values that another release wrote in the form of this one. Each value is read once. */
export class ValueReader<T extends object> {
  readonly #readingOf: (value: T) => Reading<T>;
  readonly #known = new WeakMap<StoredValue<T>, StoredValue<T>>();
  #hasUnreadable = false;

  constructor(readingOf: (value: T) => Reading<T>) {
    this.#readingOf = readingOf;
  }

  /** Whether a value was ever unreadable. */
  get hasUnreadable(): boolean {
    return this.#hasUnreadable;
  }

  /** Notes a value that was written in the form of this release. */
  keep(stored: StoredValue<T>): void {
    this.#known.set(stored, stored);
  }

  /** The value as this release shows it: the same one each time. */
  read(stored: StoredValue<T>): StoredValue<T> {
    const known = this.#known.get(stored);
    if (known !== undefined) return known;
    const shown = this.#shownAs(stored);
    this.#known.set(stored, shown);
    return shown;
  }

  range(keyspace: Keyspace<T>, options: RangeOptions<T>): RangePage<T> {
    const { select } = options;
    const selected = select && ((stored: StoredValue<T>) => select(this.read(stored)));
    // What other releases have found in the values does not count.
    const page = keyspace.range({ ...options, select: selected, selection: undefined });
    return { ...page, items: page.items.map((stored) => this.read(stored)) };
  }

  #shownAs(stored: StoredValue<T>): StoredValue<T> {
    if (stored.corrupt || !(stored instanceof Version)) return stored;
    const reading = this.#tryReading(stored.value);
    if ("value" in reading) {
      const isSame = reading.value === stored.value;
      return stored.readAs(deepFreeze(reading.value), isSame ? undefined : { unreadable: undefined });
    }
    this.#hasUnreadable = true;
    return stored.readAs(stored.value, reading);
  }

  #tryReading(value: T): Reading<T> {
    try {
      return this.#readingOf(value);
    } catch (error) {
      return { unreadable: messageOf(error) };
    }
  }
}
