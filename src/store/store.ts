import type { Clock } from "../apimachinery/clock.ts";
import type { Labels } from "../apimachinery/validation/label-requirement.ts";
import { Audience, type WatchFilter } from "./audience.ts";
import { deepFreeze } from "./deep-freeze.ts";
import { EventQueue } from "./event-queue.ts";
import { Keyspace, type RangeOptions, type RangePage } from "./keyspace.ts";
import { hasPrefix, PrefixIndex } from "./prefix-index.ts";
import type { Revision } from "./revision.ts";
import { Snapshot } from "./snapshot.ts";
import { compacted, future, type RequestedRevision, restored } from "./storage-error.ts";
import { type StoredValue, type StoreEvent, Version } from "./stored-value.ts";
import type { ValueReader } from "./value-reader.ts";
import { type RestoreBehavior, WakeUps, Watcher, type WatchFeed } from "./watch-feed.ts";

/** The parameters of a store. */
export interface StoreOptions<T extends object> {
  readonly clock: Clock;
  /** How long old revisions can be read. */
  readonly historyMilliseconds: number;
  /** How much memory old revisions may need, estimated. Beyond it, the oldest are compacted. */
  readonly historyBytes: number;
  /**
   * Sets the revision of a value that is being committed: in place, or in a copy if the value is frozen, as it is for
   * a delete. It must not write to the store.
   */
  readonly stamp: (value: T, revision: Revision) => T;
  /** The labels of a value, which most selections use. */
  readonly labelsOf: (value: T) => Labels;
  /** The number of events that can wait for a watcher, besides its replay. */
  readonly watchCapacity: number;
  /** The revision of the empty store. Default: 1, as in etcd. */
  readonly startRevision?: Revision;
}

/** The change of a key. Deleting a key that does not exist changes nothing. */
export type Change<T extends object> =
  | { readonly type: "put"; readonly value: T }
  | Deletion<T>
  | { readonly type: "unchanged" };

/**
 * A delete with further writes, each with a revision of its own. They are committed in this order, without other
 * writes in between, all or none.
 */
export interface Deletion<T extends object> {
  readonly type: "delete";
  /** A value that is put before the delete. */
  readonly last?: T;
  /** Keys that are deleted after this one, if they exist. */
  readonly others?: readonly string[];
}

/** The committed event, or the latest revision if nothing was written. */
export type UpdateResult<T extends object> =
  | StoreEvent<T>
  | {
      readonly type: "unchanged";
      readonly revision: Revision;
      readonly key: string;
      readonly value: StoredValue<T> | undefined;
    };

/** The options of a watch. */
export interface WatchOptions<T extends object> {
  /** A folder that ends with `/`, a single key, or the empty string for all keys. */
  readonly prefix: string;
  /** The watch starts after this revision, which may be in the future. */
  readonly from: Revision;
  /** Closes the feed. */
  readonly signal?: AbortSignal | undefined;
  /** The effect of a restore of an older state. Default: the watch ends. */
  readonly onRestore?: RestoreBehavior;
  /** Leaves out events of other values, except from the history that is replayed. */
  readonly filter?: WatchFilter<T> | undefined;
}

/** What stores over the same values share. */
interface SharedValues<T extends object> {
  keyspace: Keyspace<T>;
  /** The stores that show each write. */
  readonly stores: Set<Store<T>>;
}

/**
 * Frozen values by key, with one revision counter, their history and watchers. It is synchronous and has no timers:
 * each access compacts expired history.
 */
export class Store<T extends object> {
  readonly #options: StoreOptions<T>;
  readonly #audiences = new PrefixIndex<Audience<T, Watcher<T>>>();
  #shared: SharedValues<T>;
  /** Shows values that another release wrote; undefined if all values are shown as they are. */
  #reader: ValueReader<T> | undefined;
  /**
   * The latest revision that a replica shows; undefined for a store that is not a replica or that follows its source.
   */
  #horizon: Revision | undefined;
  #isReplica = false;
  readonly #wakeUps = new WakeUps();
  /** Whether `range` is calling `select`, during which the tree must not change. */
  #isSelecting = false;

  constructor(options: StoreOptions<T>) {
    this.#options = options;
    this.#shared = { keyspace: Keyspace.empty(options.startRevision ?? 1), stores: new Set([this]) };
  }

  get #keyspace(): Keyspace<T> {
    return this.#shared.keyspace;
  }

  /** The revision of the last write. */
  get revision(): Revision {
    return this.#horizon ?? this.#keyspace.revision;
  }

  /** The oldest revision that can be read or watched from. */
  get compactRevision(): Revision {
    this.#expire();
    return this.#keyspace.compactRevision;
  }

  /**
   * The value of a key at a revision, by default the latest. Throws a StorageError for a compacted or future
   * revision.
   */
  get(key: string, at?: Revision): StoredValue<T> | undefined {
    const found = this.#keyspace.get(key, this.#readable(at));
    return found === undefined || this.#reader === undefined ? found : this.#reader.read(found);
  }

  /** A page of values at one revision. Throws as `get` does. */
  range({ prefix, start, limit, at, select, selection }: RangeOptions<T>): RangePage<T> {
    const revision = this.#readable(at);
    const wasSelecting = this.#isSelecting;
    this.#isSelecting = select !== undefined;
    try {
      const options = { prefix, start, limit, at: revision, select, selection };
      const { keyspace } = this.#shared;
      return this.#reader === undefined ? keyspace.range(options) : this.#reader.range(keyspace, options);
    } finally {
      this.#isSelecting = wasSelecting;
    }
  }

  /** Whether a value was ever corrupt, so that readers of many values have to check each. */
  get hasCorrupt(): boolean {
    return this.#keyspace.hasCorrupt || (this.#reader?.hasUnreadable ?? false);
  }

  /** The number of keys with this prefix. */
  count(prefix: string): number {
    return this.#keyspace.count(prefix, this.revision);
  }

  /**
   * Writes the result of `change`, which gets the current value of the key and the latest revision. `change` runs
   * synchronously, and again if it wrote the key itself. The memory store commits synchronously, too; the promise is
   * for stores that ask others. If `change` throws, the promise rejects and nothing is written.
   */
  async guaranteedUpdate(
    key: string,
    change: (current: StoredValue<T> | undefined, revision: Revision) => Change<T>,
  ): Promise<UpdateResult<T>> {
    if (this.#isReplica) throw new Error("a replica takes no writes");
    this.#refuseWithinSelect();
    for (;;) {
      const current = this.get(key);
      const { revision } = this;
      const keyspace = this.#keyspace;
      const wanted = change(current, revision);
      const isUnchanged = this.#keyspace === keyspace && this.revision === revision;
      if (isUnchanged || this.get(key) === current) return this.#commit(key, wanted, current);
    }
  }

  /**
   * Makes the value of a key unreadable, as if other bytes had been written to storage: until the key is put or
   * deleted, `get` returns the old value, marked as corrupt. Ends the watchers of keys with the prefix `within`.
   */
  corrupt(key: string, within: string): void {
    this.#refuseWithinSelect();
    const current = this.get(key);
    if (current === undefined) return;
    for (const [prefix, audience] of this.#audiences.entries()) {
      if (prefix.startsWith(within)) for (const watcher of audience.listeners()) watcher.close();
    }
    this.#write(this.#version("corrupt", current.value, key, current, 1), current, this.#options.clock.now());
  }

  /** The events after a revision. If that is compacted, the feed ends at once with the error `compacted`. */
  watch(options: WatchOptions<T>): WatchFeed<T> {
    this.#expire();
    const { prefix, from, signal, onRestore, filter } = options;
    const isGone = from < this.#keyspace.compactRevision;
    const known = isGone ? [] : this.#keyspace.since(from, (key) => hasPrefix(key, prefix));
    const past =
      this.#horizon === undefined ? known : known.filter((event) => event.revision <= this.revision);
    const replay = this.#reader === undefined ? past : past.map((event) => this.#shown(event));
    const queue = new EventQueue(this.#options.watchCapacity, replay);
    const close = () => watcher.close();
    const onEnd = () => {
      audience.delete(watcher, filter);
      if (audience.isEmpty) this.#audiences.delete(prefix);
      signal?.removeEventListener("abort", close);
    };
    const watcher = new Watcher(from, queue, this.#wakeUps, onEnd, onRestore);
    const audience = this.#audiences.get(prefix) ?? new Audience<T, Watcher<T>>();
    audience.add(watcher, filter);
    this.#audiences.set(prefix, audience);
    signal?.addEventListener("abort", close);
    if (isGone) watcher.end(compacted(this.#requested(from)));
    if (signal?.aborted) watcher.close();
    return watcher;
  }

  /** Drops what is not visible at `revision` or later; by default the latest. */
  compact(revision: Revision = this.revision): void {
    this.#refuseWithinSelect();
    if (revision > this.revision) throw future(this.#requested(revision));
    this.#keyspace.compact(revision);
  }

  /** A store with the same state, without watchers. Later writes to one do not affect the other. */
  fork(clock: Clock = this.#options.clock): Store<T> {
    const copy = new Store<T>({ ...this.#options, clock });
    copy.#shared.keyspace = this.#keyspace.fork();
    copy.#reader = this.#reader;
    return copy;
  }

  /**
   * A store over the same values, which shows them as the reader does. What one of them writes is in the other at once.
   */
  readBy(reader: ValueReader<T>): Store<T> {
    const store = new Store<T>(this.#options);
    store.#shared = this.#shared;
    store.#reader = reader;
    this.#shared.stores.add(store);
    return store;
  }

  /** Shows what other stores over the same values write from now on as the reader does, unless it has a reader already. */
  readWith(reader: ValueReader<T>): void {
    if (this.#reader !== undefined) return;
    for (const stored of this.#keyspace.range({ prefix: "" }).items) reader.keep(stored);
    this.#reader = reader;
  }

  /** Ends the watchers, and shows no more events. Reads and writes still work. */
  retire(): void {
    this.#shared.stores.delete(this);
    for (const watcher of this.#watchers()) watcher.close();
  }

  /** The current state, for `restore`. */
  snapshot(): Snapshot<T> {
    return new Snapshot(this.#keyspace.fork());
  }

  /**
   * Returns to a state, possibly with an older revision. Watchers end with the error `restored`; with "keep", those
   * that can continue do, and get no events until the revision exceeds the one before.
   */
  restore(snapshot: Snapshot<T>, watchers: "end" | "keep" = "end"): void {
    const before = this.revision;
    this.#shared.keyspace = snapshot.open();
    for (const store of this.#shared.stores) store.#expectRevisionsAfter(before, watchers);
  }

  #expectRevisionsAfter(revision: Revision, watchers: "end" | "keep"): void {
    for (const watcher of this.#watchers()) {
      if (watchers === "keep" && watcher.onRestore === "continue") watcher.skipTo(revision);
      else watcher.end(restored());
    }
  }

  /**
   * A read-only store with the state at a revision, or at the oldest available one. It does not change until it
   * follows its source.
   */
  replica(at: Revision): Store<T> {
    const copy = this.fork();
    copy.#isReplica = true;
    copy.#horizon = Math.min(Math.max(at, this.compactRevision), this.revision);
    return copy;
  }

  /** Updates a replica to the state of its source, and with every further write. */
  follow(source: Store<T>): void {
    const shown = this.revision;
    this.#shared = source.#shared;
    this.#horizon = undefined;
    this.#shared.stores.add(this);
    if (shown < this.#keyspace.compactRevision || shown > this.revision) {
      for (const watcher of this.#watchers()) watcher.end(restored());
      return;
    }
    for (const event of this.#keyspace.since(shown, () => true)) this.#publish(event);
  }

  #commit(key: string, change: Change<T>, current: StoredValue<T> | undefined): UpdateResult<T> {
    const source = change.type === "put" ? change.value : current?.value;
    if (change.type === "unchanged" || source === undefined) {
      return { type: "unchanged", revision: this.revision, key, value: current };
    }
    if (change.type === "delete" && current !== undefined) return this.#delete(current, change);
    return this.#write(
      this.#version(change.type, source, key, current, 1),
      current,
      this.#options.clock.now(),
    );
  }

  #delete(current: StoredValue<T>, { last, others = [] }: Deletion<T>): StoreEvent<T> {
    const { key } = current;
    const put = last && this.#version("put", last, key, current, 1);
    const final = put ?? current;
    const steps = put === undefined ? 1 : 2;
    const deleted = this.#version("delete", final.value, key, final, steps);
    const found = others.map((other) => this.get(other)).filter((other) => other !== undefined);
    const gone = found.map((other, i) =>
      this.#version("delete", other.value, other.key, other, steps + i + 1),
    );
    const time = this.#options.clock.now();
    if (put !== undefined) this.#write(put, current, time);
    const event = this.#write(deleted, final, time);
    for (const [i, version] of gone.entries()) this.#write(version, found[i], time);
    return event;
  }

  /** The next version of a key. It is not written yet. */
  #version(
    type: "put" | "delete" | "corrupt",
    source: T,
    key: string,
    current: StoredValue<T> | undefined,
    ahead: number,
  ): Version<T> {
    const revision = this.revision + ahead;
    const value = deepFreeze(this.#options.stamp(source, revision));
    return new Version(type, key, value, this.#options.labelsOf(value), revision, current);
  }

  #write(version: Version<T>, current: StoredValue<T> | undefined, time: number): StoreEvent<T> {
    const { keyspace, stores } = this.#shared;
    // The history has what was written, not what this store shows of it.
    const previous = this.#reader === undefined ? current : keyspace.get(version.key, this.revision);
    const event = keyspace.write(version, previous, time);
    this.#reader?.keep(version);
    keyspace.expire(time - this.#options.historyMilliseconds);
    keyspace.limitHistory(this.#options.historyBytes);
    for (const store of stores) store.#publish(event);
    return event;
  }

  #publish(event: StoreEvent<T>): void {
    let shown: StoreEvent<T> | undefined;
    this.#audiences.visit(event.key, (audience) => {
      shown ??= this.#shown(event);
      audience.publish(shown);
    });
  }

  #shown(event: StoreEvent<T>): StoreEvent<T> {
    if (this.#reader === undefined) return event;
    const { value, previous } = event;
    const before = previous && this.#reader.read(previous);
    return { ...event, value: this.#reader.read(value), previous: before };
  }

  #watchers(): readonly Watcher<T>[] {
    return this.#audiences.entries().flatMap(([, audience]) => audience.listeners());
  }

  /** The revision to read, if it is available. */
  #readable(at: Revision | undefined): Revision {
    if (at === undefined) return this.revision;
    this.#expire();
    if (at > this.revision) throw future(this.#requested(at));
    if (at >= this.#keyspace.compactRevision) return at;
    throw compacted(this.#requested(at));
  }

  #requested(requested: Revision): RequestedRevision {
    return { requested, compactRevision: this.#keyspace.compactRevision, revision: this.revision };
  }

  #expire(): void {
    if (this.#isSelecting || this.#horizon !== undefined) return;
    this.#keyspace.expire(this.#options.clock.now() - this.#options.historyMilliseconds);
  }

  #refuseWithinSelect(): void {
    if (this.#isSelecting) throw new Error("select must not write to the store");
  }
}
