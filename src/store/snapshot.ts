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

  /** A copy of the keyspace to write to. */
  open(): Keyspace<T> {
    return this.#keyspace.fork();
  }
}
