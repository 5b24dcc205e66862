import type { Keyspace } from "./keyspace.ts";
import type { Revision } from "./revision.ts";

/** The state of a store at one time. It can be restored any number of times, into any store of the same values. */
export class Snapshot<T extends object> {
  readonly #keyspace: Keyspace<T>;

  /** Takes the keyspace over: nobody else may write to it. */
  constructor(keyspace: Keyspace<T>) {
    this.#keyspace = keyspace;
  }

  /** The revision of the store when the snapshot was taken. */
  get revision(): Revision {
    return this.#keyspace.revision;
  }

  /** A keyspace to write to; the snapshot stays as it is. */
  open(): Keyspace<T> {
    return this.#keyspace.fork();
  }
}
