import type { Keyspace } from "./keyspace.ts";
import type { Revision } from "./revision.ts";

/** The state of a store at a point in time. It can be restored many times, into any store of the same value type. */
export class Snapshot<T extends object> {
  readonly #keyspace: Keyspace<T>;

  /** Becomes the owner of the keyspace; the caller must not write to it any more. */
  constructor(keyspace: Keyspace<T>) {
    this.#keyspace = keyspace;
  }

  /** The revision of the store when the snapshot was taken. */
  get revision(): Revision {
    return this.#keyspace.revision;
  }

  /**
   * The same keys at the same revisions, as if other values had been written at `time`: `values` has them in the order of the
   * revisions, with the labels and revisions of those they replace. It is for a state in which each key was put once.
   */
  rewritten(values: readonly T[], time: number): Snapshot<T> {
    return new Snapshot(this.#keyspace.rewritten(values, time));
  }

  /** A copy of the keyspace to write to. */
  open(): Keyspace<T> {
    return this.#keyspace.fork();
  }
}
