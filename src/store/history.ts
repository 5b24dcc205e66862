import type { Revision } from "./revision.ts";
import type { StoreEvent } from "./stored-value.ts";

const chunkSize = 256;

/** The events of `chunkSize` consecutive revisions with their times and sizes. Trimmed events leave a hole. */
interface Chunk<T extends object> {
  readonly owner: object;
  readonly events: (StoreEvent<T> | undefined)[];
  readonly times: number[];
  readonly bytes: number[];
}

/** The events after `compactRevision`, one for each revision. `fork` shares the chunks, which are copied on write. */
export class History<T extends object> {
  #owner: object = {};
  #chunks: Chunk<T>[] = [];
  #ownsChunks = true;
  #compactRevision: Revision;
  #revision: Revision;
  #bytes = 0;

  constructor(revision: Revision) {
    this.#compactRevision = revision;
    this.#revision = revision;
  }

  /** A history with the same events; later changes of one do not affect the other. */
  fork(): History<T> {
    const copy = new History<T>(this.#revision);
    copy.#chunks = this.#chunks;
    copy.#compactRevision = this.#compactRevision;
    copy.#bytes = this.#bytes;
    copy.#ownsChunks = false;
    this.#ownsChunks = false;
    this.#owner = {};
    return copy;
  }

  /** The revision of the last event. */
  get revision(): Revision {
    return this.#revision;
  }

  /** The revision after which all events are available. */
  get compactRevision(): Revision {
    return this.#compactRevision;
  }

  /** The size of all events. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Appends the event of the next revision. `bytes` is the memory that the history needs for it and for what it has
   * replaced. Throws for any other revision.
   */
  append(event: StoreEvent<T>, time: number, bytes: number): void {
    if (event.revision !== this.#revision + 1) {
      throw new Error(`event ${event.revision} does not follow revision ${this.#revision}`);
    }
    const chunk = this.#ownedChunk(this.#placeOf(event.revision));
    const slot = event.revision % chunkSize;
    chunk.events[slot] = event;
    chunk.times[slot] = time;
    chunk.bytes[slot] = bytes;
    this.#bytes += bytes;
    this.#revision = event.revision;
  }

  /** Visits the events after `revision`, which must not be before `compactRevision`. */
  since(revision: Revision, visit: (event: StoreEvent<T>) => void): void {
    this.#between(revision, this.#revision, visit);
  }

  /** The last revision that was written at `time` or before; `compactRevision` if there is none. */
  revisionAt(time: number): Revision {
    let revision = this.#compactRevision;
    while (revision < this.#revision && this.#timeOf(revision + 1) <= time) revision++;
    return revision;
  }

  /** The first revision after which the events have at most this size. */
  revisionWithin(bytes: number): Revision {
    let revision = this.#compactRevision;
    for (let left = this.#bytes; left > bytes && revision < this.#revision; left -= this.#bytesOf(revision)) {
      revision++;
    }
    return revision;
  }

  /** Drops the events up to `revision`, which becomes the `compactRevision`. Visits each of them first. */
  trim(revision: Revision, visit: (event: StoreEvent<T>) => void): void {
    if (revision <= this.#compactRevision) return;
    this.#between(this.#compactRevision, revision, visit);
    for (let gone = this.#compactRevision + 1; gone <= revision; gone++) this.#bytes -= this.#bytesOf(gone);
    const dropped = this.#placeOf(revision + 1);
    const first = dropped === 0 ? (this.#compactRevision + 1) % chunkSize : 0;
    this.#ownChunks().splice(0, dropped);
    this.#compactRevision = revision;
    const end = (revision + 1) % chunkSize;
    // A chunk without events stays if the next event belongs into it.
    if (end > 0 && this.#chunks.length > 0) this.#ownedChunk(0).events.fill(undefined, first, end);
  }

  #between(after: Revision, last: Revision, visit: (event: StoreEvent<T>) => void): void {
    for (let revision = after + 1; revision <= last; revision++) {
      const event = this.#chunks[this.#placeOf(revision)]?.events[revision % chunkSize];
      if (event !== undefined) visit(event);
    }
  }

  /** The index of a revision's chunk, relative to the chunk of the first available revision. */
  #placeOf(revision: Revision): number {
    return Math.floor(revision / chunkSize) - Math.floor((this.#compactRevision + 1) / chunkSize);
  }

  #timeOf(revision: Revision): number {
    return this.#chunks[this.#placeOf(revision)]?.times[revision % chunkSize] ?? 0;
  }

  #bytesOf(revision: Revision): number {
    return this.#chunks[this.#placeOf(revision)]?.bytes[revision % chunkSize] ?? 0;
  }

  #ownChunks(): Chunk<T>[] {
    if (!this.#ownsChunks) this.#chunks = this.#chunks.slice();
    this.#ownsChunks = true;
    return this.#chunks;
  }

  #ownedChunk(place: number): Chunk<T> {
    const chunks = this.#ownChunks();
    const chunk = chunks[place];
    if (chunk?.owner === this.#owner) return chunk;
    const events = chunk?.events.slice() ?? [];
    const [times, bytes] = [chunk?.times.slice() ?? [], chunk?.bytes.slice() ?? []];
    const copy = { owner: this.#owner, events, times, bytes };
    chunks[place] = copy;
    return copy;
  }
}
