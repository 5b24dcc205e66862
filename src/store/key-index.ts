import type { Revision } from "./revision.ts";

/** One write of a key. After a tombstone the key does not exist. */
export interface KeyVersion {
  readonly key: string;
  readonly modRevision: Revision;
  readonly tombstone: boolean;
}

/** The versions of a key: usually a single one, otherwise an index. */
export type KeyEntry<V extends KeyVersion> = V | KeyIndex<V>;

/**
 * Two or more retained revisions of a key, as etcd's keyIndex (a dagger marks a tombstone):
 *
 * | write            | kept         | at(4) | after compact(6) |
 * | ---------------- | ------------ | ----- | ---------------- |
 * | put, revision 3  | 3            | 3     | 3                |
 * | put, revision 5  | 3, 5         | 3     | 5                |
 * | delete, 6        | 3, 5, 6†     | 3     | nothing          |
 * | put, revision 9  | 3, 5, 6†, 9  | 3     | 9                |
 *
 * Copy on write: only its owner changes it in place.
 */
export class KeyIndex<V extends KeyVersion> {
  readonly #owner: object;
  /** Oldest first. There is at least one from `#head` on; those before are dropped. */
  #older: (V | undefined)[];
  #head = 0;
  #newest: V;

  constructor(owner: object, older: (V | undefined)[], newest: V) {
    this.#owner = owner;
    this.#older = older;
    this.#newest = newest;
  }

  get key(): string {
    return this.#newest.key;
  }

  /** The revision of the last write. */
  get modRevision(): Revision {
    return this.#newest.modRevision;
  }

  /** Whether the key exists now. */
  get live(): boolean {
    return !this.#newest.tombstone;
  }

  /** The version that a reader at `revision` sees, if the key existed then. */
  at(revision: Revision): V | undefined {
    const seen = this.#newest.modRevision <= revision ? this.#newest : this.#older[this.#olderAt(revision)];
    return seen === undefined || seen.tombstone ? undefined : seen;
  }

  /** Adds a write that is newer than all others. */
  put(version: V, owner: object): KeyIndex<V> {
    if (owner !== this.#owner) {
      return new KeyIndex(owner, [...this.#older.slice(this.#head), this.#newest], version);
    }
    this.#older.push(this.#newest);
    this.#newest = version;
    return this;
  }

  /** Drops the versions that are not visible at `revision` or later; undefined if none is left. */
  compact(revision: Revision, owner: object): KeyEntry<V> | undefined {
    if (this.#newest.modRevision <= revision) return this.#newest.tombstone ? undefined : this.#newest;
    const seen = this.#olderAt(revision);
    const dropped = this.#older[seen]?.tombstone ? seen + 1 : seen;
    if (dropped <= this.#head) return this;
    if (dropped === this.#older.length) return this.#newest;
    if (owner !== this.#owner) return new KeyIndex(owner, this.#older.slice(dropped), this.#newest);
    this.#drop(dropped);
    return this;
  }

  /** Drops the versions before `head`. Each is moved at most once, so that compaction by single revisions is cheap. */
  #drop(head: number): void {
    if (head * 2 < this.#older.length) {
      this.#older.fill(undefined, this.#head, head);
      this.#head = head;
    } else {
      this.#older = this.#older.slice(head);
      this.#head = 0;
    }
  }

  /** The index in `#older` of the last write up to `revision`; before `#head` if there is none. */
  #olderAt(revision: Revision): number {
    let low = this.#head;
    let high = this.#older.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const version = this.#older[middle];
      if (version !== undefined && version.modRevision <= revision) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

/** Adds a write to the entry of a key that is newer than all others. */
export function putVersion<V extends KeyVersion>(
  entry: KeyEntry<V> | undefined,
  version: V,
  owner: object,
): KeyEntry<V> {
  if (entry === undefined) return version;
  return entry instanceof KeyIndex ? entry.put(version, owner) : new KeyIndex(owner, [entry], version);
}

/** Drops the versions of a key that are not visible at `revision` or later; undefined if none is left. */
export function compactEntry<V extends KeyVersion>(
  entry: KeyEntry<V> | undefined,
  revision: Revision,
  owner: object,
): KeyEntry<V> | undefined {
  return entry instanceof KeyIndex ? entry.compact(revision, owner) : entry;
}
