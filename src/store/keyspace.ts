import { BTree } from "./btree.ts";
import { History } from "./history.ts";
import { compactEntry, type KeyEntry, putVersion } from "./key-index.ts";
import { isBefore, keyAfterPrefix } from "./key-order.ts";
import type { Revision } from "./revision.ts";
import type { StoredValue, StoreEvent, Version } from "./stored-value.ts";

/** Which keys to read. */
export interface RangeOptions<T extends object> {
  /** What the keys begin with. */
  readonly prefix: string;
  /** The first key to look at; the key after `k` is `k + "\0"`. */
  readonly start?: string | undefined;
  /** How many values to give at most; all, if it is 0 or left out. */
  readonly limit?: number | undefined;
  /** The revision to read at; the newest if left out. */
  readonly at?: Revision | undefined;
  /** Which values to give. It must not write to the store. */
  readonly select?: ((value: StoredValue<T>) => boolean) | undefined;
}

/** Values in key order. */
export interface RangePage<T extends object> {
  readonly items: StoredValue<T>[];
  /** Whether keys come after the last item. Like upstream, it does not say that any of them will be selected. */
  readonly more: boolean;
  /** How many keys come after the last item, selected or not. */
  readonly remaining: number;
  /** The revision that was read. */
  readonly revision: Revision;
}

/** All keys with their retained revisions, and the events that led here. Knows neither time nor watchers. */
export class Keyspace<T extends object> {
  readonly #tree: BTree<KeyEntry<Version<T>>>;
  readonly #history: History<T>;
  #hasCorrupt: boolean;

  private constructor(tree: BTree<KeyEntry<Version<T>>>, history: History<T>, hasCorrupt: boolean) {
    this.#tree = tree;
    this.#history = history;
    this.#hasCorrupt = hasCorrupt;
  }

  /** No keys, and no history before `revision`. */
  static empty<T extends object>(revision: Revision): Keyspace<T> {
    return new Keyspace<T>(new BTree(), new History(revision), false);
  }

  /** The same keys and history; neither sees what becomes of the other from now on. Takes no time. */
  fork(): Keyspace<T> {
    return new Keyspace<T>(this.#tree.fork(), this.#history.fork(), this.#hasCorrupt);
  }

  /** The revision of the last write. */
  get revision(): Revision {
    return this.#history.revision;
  }

  /** Whether any value was ever corrupt, so that readers have to look. */
  get hasCorrupt(): boolean {
    return this.#hasCorrupt;
  }

  /** The oldest revision that can be read. */
  get compactRevision(): Revision {
    return this.#history.compactRevision;
  }

  get(key: string, at: Revision): StoredValue<T> | undefined {
    return this.#tree.get(key)?.at(at);
  }

  range(options: RangeOptions<T>): RangePage<T> {
    const { prefix, start = prefix, limit = 0, at = this.revision, select } = options;
    const end = keyAfterPrefix(prefix);
    const from = isBefore(start, prefix) ? prefix : start;
    const items: StoredValue<T>[] = [];
    this.#tree.scan({ from, end }, at, (entries, first, last) => {
      for (let i = first; i < last; i++) {
        const value = entries[i]?.at(at);
        if (value === undefined || (select !== undefined && !select(value))) continue;
        items.push(value);
        if (items.length === limit) return false;
      }
      return true;
    });
    const last = limit > 0 && items.length === limit ? items.at(-1) : undefined;
    const remaining = last === undefined ? 0 : this.#tree.count({ from: `${last.key}\0`, end }, at);
    return { items, more: remaining > 0, remaining, revision: at };
  }

  /** The number of keys that begin with `prefix`. */
  count(prefix: string, at: Revision): number {
    return this.#tree.count({ from: prefix, end: keyAfterPrefix(prefix) }, at);
  }

  /** Commits the write of the next revision. Throws before anything is changed, or not at all. */
  write(version: Version<T>, previous: StoredValue<T> | undefined, time: number): StoreEvent<T> {
    const { key, modRevision: revision } = version;
    const type = version.tombstone ? "delete" : "put";
    const event: StoreEvent<T> = { type, revision, key, value: version, previous };
    this.#history.append(event, time);
    this.#hasCorrupt ||= version.corrupt;
    this.#tree.update(key, (entry, owner) => putVersion(entry, version, owner));
    return event;
  }

  /** The events after a revision that is not before `compactRevision`, of the keys that match. */
  since(revision: Revision, matches: (key: string) => boolean): StoreEvent<T>[] {
    const events: StoreEvent<T>[] = [];
    this.#history.since(revision, (event) => {
      if (matches(event.key)) events.push(event);
    });
    return events;
  }

  /** Forgets what cannot be seen since `time`: of the writes until then only the last of each key is kept. */
  expire(time: number): void {
    this.compact(this.#history.revisionAt(time));
  }

  /** Forgets what cannot be seen at `revision` or later. Costs O(log n) for each event that goes. */
  compact(revision: Revision): void {
    if (revision <= this.compactRevision) return;
    const keys = new Set<string>();
    this.#history.trim(revision, (event) => {
      // A write of a new key leaves nothing behind that could be forgotten.
      if (event.previous !== undefined) keys.add(event.key);
    });
    for (const key of keys) this.#tree.update(key, (entry, owner) => compactEntry(entry, revision, owner));
  }
}
