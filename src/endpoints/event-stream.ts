import type { Clock, Timer } from "../apimachinery/clock.ts";
import { expired, internalError, StatusError } from "../apimachinery/errors.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { ResourceWatch } from "../registry/rest.ts";
import { StorageError } from "../store/storage-error.ts";
import type { Store } from "../store/store.ts";
import { type EventEncoding, UnencodableEvents } from "./event-encoding.ts";

/** How often a quiet watcher is told how far it has come, and how long before the end for the last time. */
const bookmarkMilliseconds = 60_000;
const lastBookmarkMilliseconds = 2_000;

/** How many initial events wait for a client as bytes: what it has not read yet is not written yet. */
const objectsInChunk = 500;

/** What an open watch is made of. */
export interface EventStreamOptions {
  readonly open: () => ResourceWatch;
  readonly encoding: EventEncoding;
  readonly clock: Clock;
  /** How long it lives. */
  readonly milliseconds: number;
  /** Whether a bookmark says that the initial events have been sent. */
  readonly endsInitialEvents: boolean;
  readonly sendsBookmarks: boolean;
  /** Resolves when the initial events are as new as they must be; undefined when they are. */
  readonly freshness: () => Promise<void> | undefined;
  readonly store: Store<KubeObject>;
  readonly signal: AbortSignal;
}

/** The body of a watch: what is ready goes out as one chunk, and the end of the iteration closes the watch. */
export async function* eventStream(options: EventStreamOptions): AsyncGenerator<Uint8Array, void> {
  const { encoding, signal } = options;
  try {
    await options.freshness();
    yield* openStream(options);
  } catch (error) {
    if (!signal.aborted && !endsQuietly(error)) yield encoding.error(statusOf(error));
  }
}

/** Whether the stream ends like one whose time is up: upstream lets go of a watcher that does not read. */
function endsQuietly(error: unknown): boolean {
  return error instanceof UnencodableEvents || (error instanceof StorageError && error.reason === "tooSlow");
}

async function* openStream(options: EventStreamOptions): AsyncGenerator<Uint8Array, void> {
  const { encoding, sendsBookmarks, store } = options;
  const watch = options.open();
  const pace = new Pace(options.clock, options.milliseconds, sendsBookmarks);
  watch.onReady(() => pace.wake());
  try {
    for (let sent = 0; sent < watch.initial.length; sent += objectsInChunk) {
      yield encoding.initial(watch.initial.slice(sent, sent + objectsInChunk));
    }
    if (options.endsInitialEvents) yield encoding.initialEventsEnd(watch.revision);
    for (;;) {
      const events = watch.drain();
      if (events.length > 0) yield encoding.events(events);
      else if (watch.error !== undefined) throw watch.error;
      else if (watch.ended || pace.isOver) return;
      else if (pace.takeBookmark()) yield encoding.bookmark(store.revision);
      else await pace.next();
    }
  } finally {
    watch.close();
    pace.stop();
  }
}

/** Wakes a stream for events, bookmarks and its end. */
class Pace {
  readonly #timers: Timer[] = [];
  readonly #clock: Clock;
  #wake = () => {};
  #isAwake = false;
  #isBookmarkDue = false;
  isOver = false;

  constructor(clock: Clock, milliseconds: number, sendsBookmarks: boolean) {
    this.#clock = clock;
    this.#after(milliseconds, () => {
      this.isOver = true;
    });
    if (!sendsBookmarks) return;
    this.#bookmarkAfter(milliseconds - lastBookmarkMilliseconds);
    this.#bookmarkEvery(bookmarkMilliseconds);
  }

  wake(): void {
    this.#isAwake = true;
    this.#wake();
  }

  /** Resolves when there is something to look at. */
  next(): Promise<void> {
    if (this.#isAwake) {
      this.#isAwake = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#isAwake = false;
        this.#wake = () => {};
        resolve();
      };
    });
  }

  takeBookmark(): boolean {
    const isDue = this.#isBookmarkDue;
    this.#isBookmarkDue = false;
    return isDue;
  }

  stop(): void {
    for (const timer of this.#timers) timer.cancel();
  }

  #bookmarkEvery(milliseconds: number): void {
    this.#after(milliseconds, () => {
      this.#isBookmarkDue = true;
      this.#bookmarkEvery(milliseconds);
    });
  }

  #bookmarkAfter(milliseconds: number): void {
    if (milliseconds <= 0) return;
    this.#after(milliseconds, () => {
      this.#isBookmarkDue = true;
    });
  }

  #after(milliseconds: number, due: () => void): void {
    const timer = this.#clock.after(milliseconds, () => {
      this.#timers.splice(this.#timers.indexOf(timer), 1);
      due();
      this.wake();
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
