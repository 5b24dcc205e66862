/**
 * The uids of owners that were not part of the load that brought their dependents. No request has deleted these owners, so the
 * garbage collector treats them as existing objects.
 */
export class AbsentOwners {
  #uids: ReadonlySet<string>;

  constructor(uids: ReadonlySet<string> = new Set()) {
    this.#uids = uids;
  }

  /** The present uids. The set does not change later. */
  get uids(): ReadonlySet<string> {
    return this.#uids;
  }

  has(uid: string): boolean {
    return this.#uids.has(uid);
  }

  /** Adds the owners that a load does not contain, and removes those that it contains. */
  update(absent: Iterable<string>, loaded: Iterable<string>): void {
    const uids = new Set([...this.#uids, ...absent]);
    for (const uid of loaded) uids.delete(uid);
    this.#uids = uids;
  }

  /** Goes back to the uids of a snapshot. */
  restore(uids: ReadonlySet<string>): void {
    this.#uids = uids;
  }

  fork(): AbsentOwners {
    return new AbsentOwners(this.#uids);
  }
}
