/** What controllers must know of loads; it does not change later. */
export interface LoadNotes {
  /** The uids of owners that were not part of the load that brought their dependents. */
  readonly absentOwners: ReadonlySet<string>;
  /** When Events were loaded, by uid, in milliseconds since the epoch. */
  readonly eventTimes: ReadonlyMap<string, number>;
}

/** What a load adds to the record. */
export interface Load {
  /** The uids of the loaded objects. */
  readonly uids: readonly string[];
  /** The uids of those that are Events. */
  readonly events: readonly string[];
  /** The uids of owners that neither the load nor the cluster has. */
  readonly absentOwners: readonly string[];
  /** When it happens, in milliseconds since the epoch. */
  readonly time: number;
}

/** How long the time of an Event matters: longer than its time to live. */
const eventMilliseconds = 2 * 60 * 60 * 1000;

const nothing: LoadNotes = { absentOwners: new Set(), eventTimes: new Map() };

/** The loads of a cluster. Objects from other clusters refer to what this cluster does not have, and are older than it. */
export class LoadRecord {
  #notes: LoadNotes;

  constructor(notes: LoadNotes = nothing) {
    this.#notes = notes;
  }

  get notes(): LoadNotes {
    return this.#notes;
  }

  /** Whether no request has deleted this owner, so that the garbage collector treats it as an existing object. */
  isAbsentOwner(uid: string): boolean {
    return this.#notes.absentOwners.has(uid);
  }

  /** When an Event was loaded, if it was within the last hours. */
  timeOfEvent(uid: string): number | undefined {
    return this.#notes.eventTimes.get(uid);
  }

  add({ uids, events, absentOwners, time }: Load): void {
    const absent = new Set([...this.#notes.absentOwners, ...absentOwners]);
    for (const uid of uids) absent.delete(uid);
    const recent = [...this.#notes.eventTimes].filter(([, loaded]) => loaded > time - eventMilliseconds);
    const eventTimes = new Map([...recent, ...events.map((uid) => [uid, time] as const)]);
    this.#notes = { absentOwners: absent, eventTimes };
  }

  /** Goes back to the notes of a snapshot. */
  restore(notes: LoadNotes): void {
    this.#notes = notes;
  }

  fork(): LoadRecord {
    return new LoadRecord(this.#notes);
  }
}
