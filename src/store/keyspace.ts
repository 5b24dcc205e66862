import { BTree } from "./btree.ts";
import { deepFreeze } from "./deep-freeze.ts";
import { ForkableTable } from "./forkable-table.ts";
import { History } from "./history.ts";
import { compactEntry, type KeyEntry, putVersion } from "./key-index.ts";
import { isBefore, keyAfterPrefix } from "./key-order.ts";
import { namedOnly } from "./named-only.ts";
import { RecentEncodings } from "./recent-encodings.ts";
import type { Revision } from "./revision.ts";
import { ShortRanges } from "./short-ranges.ts";
import { type StoredValue, type StoreEvent, Version } from "./stored-value.ts";
import { unsharedBytes } from "./unshared-bytes.ts";

/** The options of a read of many keys. */
export interface RangeOptions<T extends object> {
  /** The prefix of the keys. */
  readonly prefix: string;
  /** The first key to read; the key after `k` is `k + "\0"`. */
  readonly start?: string | undefined;
  /** The maximum number of values; 0 or absent for all. */
  readonly limit?: number | undefined;
  /** The revision to read; the latest if absent. */
  readonly at?: Revision | undefined;
  /** Selects values. It must not write to the store. */
  readonly select?: ((value: StoredValue<T>) => boolean) | undefined;
  /** What is known of `select`, so that a range can pass over values without asking it. */
  readonly selection?: Selection | undefined;
}

/** What is known of a function that selects values. */
export interface Selection {
  /** Identifies the function: of two with this key, both select the same values below a prefix. */
  readonly key: string;
  /** The only last segment of keys of selected values, if there is one. */
  readonly name: string | undefined;
}

/** Values in key order. */
export interface RangePage<T extends object> {
  readonly items: readonly StoredValue<T>[];
  /** Whether there are keys after the last item. Like upstream, this includes keys that are not selected. */
  readonly more: boolean;
  /** The number of keys after the last item, selected or not. */
  readonly remaining: number;
  /** The revision that was read. */
  readonly revision: Revision;
}

/** How many bytes of encodings for writes are kept. A client reads the answer at once, and watchers the event soon. */
const bytesOfWritesKept = 256 * 1024;

/** The estimated heap of an event without its values, in bytes. */
const eventBytes = 256;

/** The estimated heap that only the history needs because of a write: what the key had before and has no longer. */
function supersededBytes<T extends object>(
  version: Version<T>,
  previous: StoredValue<T> | undefined,
): number {
  if (previous === undefined) return 0;
  if (!version.tombstone) return unsharedBytes(previous.value, version.value);
  return unsharedBytes(previous.value, undefined) + unsharedBytes(version.value, previous.value);
}

/** All keys with their retained revisions, and the event history. It has no clock and no watchers. */
export class Keyspace<T extends object> {
  readonly #tree: BTree<KeyEntry<Version<T>>>;
  /** The entries of the tree by their keys: most reads ask for one. */
  readonly #entries: ForkableTable<KeyEntry<Version<T>>>;
  readonly #history: History<T>;
  /** The encodings of superseded versions. */
  readonly #recent: RecentEncodings;
  /** Those of others that were made for their writes. */
  readonly #ofWrites: RecentEncodings;
  /** Of the latest revision. */
  readonly #shortRanges = new ShortRanges<StoredValue<T>>();
  #hasCorrupt: boolean;

  private constructor(
    tree: BTree<KeyEntry<Version<T>>>,
    entries: ForkableTable<KeyEntry<Version<T>>>,
    history: History<T>,
    recent: RecentEncodings,
    ofWrites: RecentEncodings,
    hasCorrupt: boolean,
  ) {
    this.#tree = tree;
    this.#entries = entries;
    this.#history = history;
    this.#recent = recent;
    this.#ofWrites = ofWrites;
    this.#hasCorrupt = hasCorrupt;
  }

  /** No keys, and no history before `revision`. */
  static empty<T extends object>(revision: Revision): Keyspace<T> {
    return new Keyspace<T>(
      new BTree(),
      new ForkableTable(),
      new History(revision),
      new RecentEncodings(),
      new RecentEncodings(bytesOfWritesKept),
      false,
    );
  }

  /** A keyspace with the same keys and history; later writes to one do not affect the other. Takes constant time. */
  fork(): Keyspace<T> {
    const [tree, entries] = [this.#tree.fork(), this.#entries.fork()];
    const history = this.#history.fork();
    return new Keyspace<T>(tree, entries, history, this.#recent, this.#ofWrites, this.#hasCorrupt);
  }

  /**
   * A keyspace with the same keys at the same revisions, written at `time` with these values, in the order of the revisions.
   * It is for a keyspace whose keys were each put once, with its whole history.
   */
  rewritten(values: readonly T[], time: number): Keyspace<T> {
    const first = this.compactRevision;
    const history = new History<T>(first);
    const versions: Version<T>[] = [];
    const ofWrites = new RecentEncodings(bytesOfWritesKept);
    this.#history.since(first, ({ key, revision, value: before }) => {
      const value = deepFreeze(values[versions.length] ?? before.value);
      const version = new Version<T>("put", key, value, before.labels, revision, undefined);
      version.countWrites(ofWrites);
      versions.push(version);
      history.append({ type: "put", revision, key, value: version, previous: undefined }, time, eventBytes);
    });
    const entries = new ForkableTable<KeyEntry<Version<T>>>();
    for (const version of versions) entries.set(version.key, version);
    const tree = this.#tree.map((entry) => versions[entry.modRevision - first - 1] ?? entry);
    return new Keyspace<T>(tree, entries, history, new RecentEncodings(), ofWrites, false);
  }

  /** The revision of the last write. */
  get revision(): Revision {
    return this.#history.revision;
  }

  /** Whether a value was ever corrupt, so that readers have to check. */
  get hasCorrupt(): boolean {
    return this.#hasCorrupt;
  }

  /** The oldest revision that can be read. */
  get compactRevision(): Revision {
    return this.#history.compactRevision;
  }

  get(key: string, at: Revision): StoredValue<T> | undefined {
    return this.#entries.get(key)?.at(at);
  }

  range(options: RangeOptions<T>): RangePage<T> {
    const { prefix, start = prefix, limit = 0, at = this.revision, select } = options;
    if (start !== prefix || limit !== 0 || at !== this.revision || select !== undefined) {
      return this.#scan(options);
    }
    const known = this.#shortRanges.get(prefix);
    if (known !== undefined) return { items: known, more: false, remaining: 0, revision: at };
    const page = this.#scan(options);
    this.#shortRanges.remember(prefix, page.items);
    return page;
  }

  #scan(options: RangeOptions<T>): RangePage<T> {
    const { prefix, start = prefix, limit = 0, at = this.revision, select, selection } = options;
    const end = keyAfterPrefix(prefix);
    const from = isBefore(start, prefix) ? prefix : start;
    const items: StoredValue<T>[] = [];
    const visit = (entries: readonly KeyEntry<Version<T>>[], first: number, last: number) => {
      const before = items.length;
      for (let i = first; i < last; i++) {
        const value = entries[i]?.at(at);
        if (value === undefined || (select !== undefined && !select(value))) continue;
        items.push(value);
        if (items.length === limit) return "end";
      }
      return items.length > before ? "some" : "none";
    };
    if (selection === undefined) this.#tree.scan({ from, end }, at, visit);
    else this.#tree.scanSelection({ from, end }, at, selection.key, namedOnly(selection.name, visit));
    const last = items.length === limit ? items.at(-1) : undefined;
    const remaining = last === undefined ? 0 : this.#tree.count({ from: `${last.key}\0`, end }, at);
    return { items, more: remaining > 0, remaining, revision: at };
  }

  /** The number of keys with this prefix. */
  count(prefix: string, at: Revision): number {
    return this.#tree.count({ from: prefix, end: keyAfterPrefix(prefix) }, at);
  }

  /** Commits the write of the next revision. If it throws, nothing has changed. */
  write(version: Version<T>, previous: StoredValue<T> | undefined, time: number): StoreEvent<T> {
    const { key, modRevision: revision } = version;
    const type = version.tombstone ? "delete" : "put";
    const event: StoreEvent<T> = { type, revision, key, value: version, previous };
    this.#history.append(event, time, eventBytes + supersededBytes(version, previous));
    this.#hasCorrupt ||= version.corrupt;
    this.#shortRanges.forget(key);
    version.countWrites(this.#ofWrites);
    this.#edit(key, (entry, owner) => {
      entry?.at(revision)?.supersede(this.#recent);
      return putVersion(entry, version, owner);
    });
    // Only watches see a tombstone.
    if (version.tombstone) version.supersede(this.#recent);
    return event;
  }

  /** The events after a revision, which must not be before `compactRevision`, of the keys that match. */
  since(revision: Revision, matches: (key: string) => boolean): StoreEvent<T>[] {
    const events: StoreEvent<T>[] = [];
    this.#history.since(revision, (event) => {
      if (matches(event.key)) events.push(event);
    });
    return events;
  }

  /** Compacts to the last revision that was written at `time` or before. */
  expire(time: number): void {
    this.compact(this.#history.revisionAt(time));
  }

  /**
   * Compacts if the history is larger than this: to seven eighths of it, so that the cost of a compaction is shared by
   * many writes.
   */
  limitHistory(bytes: number): void {
    if (this.#history.bytes > bytes) this.compact(this.#history.revisionWithin((bytes * 7) / 8));
  }

  /** Drops what is not visible at `revision` or later. Costs O(log n) for each dropped event. */
  compact(revision: Revision): void {
    if (revision <= this.compactRevision) return;
    const keys = new Set<string>();
    this.#history.trim(revision, (event) => {
      // The write of a new key leaves nothing to compact.
      if (event.previous !== undefined) keys.add(event.key);
    });
    for (const key of keys) this.#edit(key, (entry, owner) => compactEntry(entry, revision, owner));
  }

  /** Replaces the entry of a key; undefined removes it. */
  #edit(key: string, change: Parameters<BTree<KeyEntry<Version<T>>>["update"]>[1]): void {
    this.#tree.update(key, (entry, owner) => {
      const changed = change(entry, owner);
      if (changed === undefined) this.#entries.delete(key);
      else if (changed !== entry) this.#entries.set(key, changed);
      return changed;
    });
  }
}
