import type { Clock, Timer } from "../apimachinery/clock.ts";
import { expired, internalError, StatusError } from "../apimachinery/errors.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { ResourceWatch } from "../registry/rest.ts";
import { StorageError } from "../store/storage-error.ts";
import type { Store } from "../store/store.ts";
import type { EventEncoding } from "./event-encoding.ts";
import { reachRevision } from "./freshness.ts";

/** How often a quiet watcher is told how far it has come, and how long before the end for the last time. */
const bookmarkMilliseconds = 60_000;
const lastBookmarkMilliseconds = 2_000;

/** What an open watch is made of. */
export interface EventStreamOptions {
  readonly open: () => ResourceWatch;
  readonly encoding: EventEncoding;
  readonly clock: Clock;
  /** How long it lives. */
  readonly milliseconds: number;
  readonly sendsInitialEvents: boolean;
  readonly sendsBookmarks: boolean;
  /** The revision that the initial events must have reached; undefined when any will do. */
  readonly freshness: number | undefined;
  readonly store: Store<KubeObject>;
  readonly signal: AbortSignal;
}

/** The body of a watch: what is ready goes out as one chunk, and the end of the iteration closes the watch. */
export function eventStream(options: EventStreamOptions): AsyncIterableIterator<Uint8Array> {
  return new EventStream(options);
}

type Chunk = IteratorResult<Uint8Array, undefined>;

/**
 * An iterator by hand: with thousands of watchers, generators that wait for promises that wait for generators would
 * cost more than the events. One reader asks at a time.
 */
class EventStream implements AsyncIterableIterator<Uint8Array> {
  readonly #options: EventStreamOptions;
  readonly #timers: Timer[] = [];
  #watch: ResourceWatch | undefined;
  /** What the stream begins with. */
  #first: Uint8Array[] = [];
  /** The reader that waits for something to happen. */
  #reader: ((chunk: Chunk) => void) | undefined;
  #isBookmarkDue = false;
  #isTimeOver = false;
  #isOver = false;

  constructor(options: EventStreamOptions) {
    this.#options = options;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Chunk> {
    if (this.#watch === undefined && !this.#isOver) return this.#open();
    const ready = this.#ready();
    if (ready !== undefined) return Promise.resolve(ready);
    return new Promise((resolve) => {
      this.#reader = resolve;
    });
  }

  return(): Promise<Chunk> {
    this.#answer(this.#end());
    return Promise.resolve({ done: true, value: undefined });
  }

  async #open(): Promise<Chunk> {
    const { open, encoding, store, clock, freshness, sendsInitialEvents, sendsBookmarks } = this.#options;
    try {
      if (freshness !== undefined) await reachRevision(store, clock, freshness, this.#options);
      if (this.#isOver) return this.#end();
      const watch = open();
      this.#watch = watch;
      this.#startTimers();
      watch.onReady(() => this.#wake());
      if (watch.initial.length > 0) this.#first.push(encoding.initial(watch.initial));
      if (sendsInitialEvents && sendsBookmarks) this.#first.push(encoding.initialEventsEnd(watch.revision));
    } catch (error) {
      return this.#fail(error);
    }
    return this.next();
  }

  /** What can be said now; undefined if there is nothing. */
  #ready(): Chunk | undefined {
    const watch = this.#watch;
    if (this.#isOver || watch === undefined) return this.#end();
    const first = this.#first.shift();
    if (first !== undefined) return { done: false, value: first };
    try {
      const { encoding, store } = this.#options;
      const events = watch.drain();
      if (events.length > 0) return { done: false, value: encoding.events(events) };
      if (watch.error !== undefined) return this.#fail(watch.error);
      if (watch.ended || this.#isTimeOver) return this.#end();
      if (!this.#isBookmarkDue) return undefined;
      this.#isBookmarkDue = false;
      return { done: false, value: encoding.bookmark(store.revision) };
    } catch (error) {
      return this.#fail(error);
    }
  }

  /** Says what went wrong, and no more after it. */
  #fail(error: unknown): Chunk {
    const end = this.#end();
    const { signal, encoding } = this.#options;
    return signal.aborted ? end : { done: false, value: encoding.error(statusOf(error)) };
  }

  #end(): Chunk {
    this.#isOver = true;
    this.#watch?.close();
    for (const timer of this.#timers.splice(0)) timer.cancel();
    return { done: true, value: undefined };
  }

  #wake(): void {
    if (this.#reader !== undefined) this.#answer(this.#ready());
  }

  #answer(chunk: Chunk | undefined): void {
    const reader = this.#reader;
    if (reader === undefined || chunk === undefined) return;
    this.#reader = undefined;
    reader(chunk);
  }

  #startTimers(): void {
    const { milliseconds, sendsBookmarks } = this.#options;
    this.#after(milliseconds, () => {
      this.#isTimeOver = true;
    });
    if (!sendsBookmarks) return;
    const last = milliseconds - lastBookmarkMilliseconds;
    if (last > 0) this.#bookmarkAfter(last, () => {});
    this.#bookmarkEvery(bookmarkMilliseconds);
  }

  #bookmarkEvery(milliseconds: number): void {
    this.#bookmarkAfter(milliseconds, () => this.#bookmarkEvery(milliseconds));
  }

  #bookmarkAfter(milliseconds: number, then: () => void): void {
    this.#after(milliseconds, () => {
      this.#isBookmarkDue = true;
      then();
    });
  }

  #after(milliseconds: number, due: () => void): void {
    const timer = this.#options.clock.after(milliseconds, () => {
      this.#timers.splice(this.#timers.indexOf(timer), 1);
      due();
      this.#wake();
    });
    this.#timers.push(timer);
  }
}

/** What an ERROR event carries. */
function statusOf(error: unknown): StatusError["status"] {
  if (error instanceof StatusError) return error.status;
  if (error instanceof StorageError && error.requested !== undefined) {
    const { requested, compactRevision } = error.requested;
    return expired(`too old resource version: ${requested} (${compactRevision - 1})`).status;
  }
  return internalError(error instanceof Error ? error.message : String(error)).status;
}
