import type { Clock } from "../apimachinery/clock.ts";
import type { Labels } from "../apimachinery/validation/label-requirement.ts";
import { deepFreeze } from "./deep-freeze.ts";
import { EventQueue } from "./event-queue.ts";
import { Keyspace, type RangeOptions, type RangePage } from "./keyspace.ts";
import { hasPrefix, PrefixIndex } from "./prefix-index.ts";
import type { Revision } from "./revision.ts";
import { Snapshot } from "./snapshot.ts";
import { compacted, future, type RequestedRevision, restored } from "./storage-error.ts";
import { type StoredValue, type StoreEvent, Version } from "./stored-value.ts";
import { Watcher, type WatchFeed } from "./watch-feed.ts";

/** What a store is made of. */
export interface StoreOptions<T extends object> {
  readonly clock: Clock;
  /** How long old revisions can be read. */
  readonly historyMilliseconds: number;
  /**
   * Writes the revision into a value that is about to be committed: in place, or into a copy if the value is frozen,
   * as it is for a delete. It must not write to the store.
   */
  readonly stamp: (value: T, revision: Revision) => T;
  /** The labels of a value, by which most selections go. */
  readonly labelsOf: (value: T) => Labels;
  /** How many events may wait for a watcher, besides those that it starts with. */
  readonly watchCapacity: number;
  /** The revision of the empty store; 1 if left out, as in etcd. */
  readonly startRevision?: Revision;
}

/** What is to become of a key. To delete a key that does not exist changes nothing. */
export type Change<T extends object> =
  | { readonly type: "put"; readonly value: T }
  | Deletion<T>
  | { readonly type: "unchanged" };

/** A delete and what goes with it: writes of their own, in this order, that nobody comes between. All come to pass or none. */
export interface Deletion<T extends object> {
  readonly type: "delete";
  /** The value that is put first. */
  readonly last?: T;
  /** Keys that are deleted after this one, if they exist. */
  readonly others?: readonly string[];
}

/** What became of a key: the event that was committed, or nothing at the newest revision. */
export type UpdateResult<T extends object> =
  | StoreEvent<T>
  | {
      readonly type: "unchanged";
      readonly revision: Revision;
      readonly key: string;
      readonly value: StoredValue<T> | undefined;
    };

/** Which events to watch. */
export interface WatchOptions {
  /** A folder, ending with `/`; or one key; or the empty string for all. */
  readonly prefix: string;
  /** Events after this revision are wanted. It may be yet to come. */
  readonly from: Revision;
  /** Closes the feed. */
  readonly signal?: AbortSignal | undefined;
  /** Whether it can go on when the store goes back to an older state, as a client's can; what caches, cannot. Default: no. */
  readonly outlivesRestore?: boolean;
}

/**
 * Frozen values under keys, with one revision counter, their history and watchers. Nothing in it waits and it has no
 * timers: history expires when somebody looks.
 */
export class Store<T extends object> {
  readonly #options: StoreOptions<T>;
  readonly #watchers = new PrefixIndex<Watcher<T>>();
  #keyspace: Keyspace<T>;
  /** What a replica shows no newer than; undefined for a store that is no replica, or that follows its source. */
  #horizon: Revision | undefined;
  #isReplica = false;
  /** Replicas that show all that is written here. */
  readonly #followers = new Set<Store<T>>();
  /** Whether a range is asking its `select`, so that the tree must not change. */
  #isSelecting = false;

  constructor(options: StoreOptions<T>) {
    this.#options = options;
    this.#keyspace = Keyspace.empty(options.startRevision ?? 1);
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

  /** The key's value at a revision, the newest if left out. Throws a StorageError for one that is gone or to come. */
  get(key: string, at?: Revision): StoredValue<T> | undefined {
    return this.#keyspace.get(key, this.#readable(at));
  }

  /** A page of values at one revision, as `get` reads them. */
  range({ prefix, start, limit, at, select }: RangeOptions<T>): RangePage<T> {
    const revision = this.#readable(at);
    const wasSelecting = this.#isSelecting;
    this.#isSelecting = select !== undefined;
    try {
      return this.#keyspace.range({ prefix, start, limit, at: revision, select });
    } finally {
      this.#isSelecting = wasSelecting;
    }
  }

  /** Whether anything was ever corrupt, so that who reads many values has to look at each. */
  get hasCorrupt(): boolean {
    return this.#keyspace.hasCorrupt;
  }

  /** How many keys begin with `prefix` now. */
  count(prefix: string): number {
    return this.#keyspace.count(prefix, this.revision);
  }

  /**
   * Writes what `change` makes of the key's value. `change` gets the value, and the newest revision; it runs before
   * the call returns, again if it wrote the key itself. The commit is done when the call returns, too; the promise is
   * for stores that have to ask others. If `change` throws, the promise rejects and nothing has happened.
   */
  async guaranteedUpdate(
    key: string,
    change: (current: StoredValue<T> | undefined, revision: Revision) => Change<T>,
  ): Promise<UpdateResult<T>> {
    if (this.#isReplica) throw new Error("a replica takes no writes");
    this.#refuseWithinSelect();
    for (;;) {
      const current = this.get(key);
      const wanted = change(current, this.revision);
      if (this.get(key) === current) return this.#commit(key, wanted, current);
    }
  }

  /**
   * Makes the value of a key unreadable, as if somebody had written other bytes in its place: `get` gives what it was,
   * marked as corrupt, until the key is put or deleted. Watchers of keys that begin with `within` are closed.
   */
  corrupt(key: string, within: string): void {
    this.#refuseWithinSelect();
    const current = this.get(key);
    if (current === undefined) return;
    for (const [prefix, watcher] of this.#watchers.entries()) if (prefix.startsWith(within)) watcher.close();
    this.#write(this.#version("corrupt", current.value, key, current, 1), current, this.#options.clock.now());
  }

  /** The events after a revision. If that is gone, the feed ends at once, with the error `compacted`. */
  watch(options: WatchOptions): WatchFeed<T> {
    this.#expire();
    const { prefix, from, signal, outlivesRestore } = options;
    const isGone = from < this.#keyspace.compactRevision;
    const known = isGone ? [] : this.#keyspace.since(from, (key) => hasPrefix(key, prefix));
    const replay =
      this.#horizon === undefined ? known : known.filter((event) => event.revision <= this.revision);
    const queue = new EventQueue(this.#options.watchCapacity, replay);
    const close = () => watcher.close();
    const onEnd = () => {
      this.#watchers.delete(prefix, watcher);
      signal?.removeEventListener("abort", close);
    };
    const watcher = new Watcher(from, queue, onEnd, outlivesRestore);
    this.#watchers.add(prefix, watcher);
    signal?.addEventListener("abort", close);
    if (isGone) watcher.end(compacted(this.#requested(from)));
    if (signal?.aborted) watcher.close();
    return watcher;
  }

  /** Forgets all that cannot be seen at `revision` or later; the newest if left out. */
  compact(revision: Revision = this.revision): void {
    this.#refuseWithinSelect();
    if (revision > this.revision) throw future(this.#requested(revision));
    this.#keyspace.compact(revision);
  }

  /** A store of the same state, without watchers. Neither sees what is written to the other. */
  fork(clock: Clock = this.#options.clock): Store<T> {
    const copy = new Store<T>({ ...this.#options, clock });
    copy.#keyspace = this.#keyspace.fork();
    return copy;
  }

  /** The present state, to come back to. */
  snapshot(): Snapshot<T> {
    return new Snapshot(this.#keyspace.fork());
  }

  /**
   * Goes back to a state; the revision can be an older one then. Ends watchers with the error `restored`. Where they are kept,
   * those that can go on do, and hear nothing until the revision is beyond where it was.
   */
  restore(snapshot: Snapshot<T>, watchers: "end" | "keep" = "end"): void {
    const before = this.revision;
    this.#keyspace = snapshot.open();
    this.#expectRevisionsAfter(before, watchers);
    for (const follower of this.#followers) {
      follower.#keyspace = this.#keyspace;
      follower.#expectRevisionsAfter(before, watchers);
    }
  }

  #expectRevisionsAfter(revision: Revision, watchers: "end" | "keep"): void {
    for (const watcher of this.#watchers.all()) {
      if (watchers === "keep" && watcher.outlivesRestore) watcher.skipTo(revision);
      else watcher.end(restored());
    }
  }

  /**
   * A store of the same state that stands still at a revision, or the oldest that is kept, and takes no writes. It shows
   * nothing of what is written here until it follows.
   */
  replica(at: Revision): Store<T> {
    const copy = this.fork();
    copy.#isReplica = true;
    copy.#horizon = Math.min(Math.max(at, this.compactRevision), this.revision);
    return copy;
  }

  /** Has a replica catch up with its source, and show all that is written to it from now on. */
  follow(source: Store<T>): void {
    const shown = this.revision;
    this.#keyspace = source.#keyspace;
    this.#horizon = undefined;
    source.#followers.add(this);
    if (shown < this.#keyspace.compactRevision || shown > this.revision) {
      for (const watcher of this.#watchers.all()) watcher.end(restored());
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

  /** What a write leaves behind, the next one or one that is yet to follow; nothing is written yet. */
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
    const event = this.#keyspace.write(version, current, time);
    this.#keyspace.expire(time - this.#options.historyMilliseconds);
    this.#publish(event);
    for (const follower of this.#followers) follower.#publish(event);
    return event;
  }

  #publish(event: StoreEvent<T>): void {
    this.#watchers.visit(event.key, (watcher) => watcher.publish(event));
  }

  /** The revision to read at, if it can be read. */
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
