import type { Awaitable } from "../../apimachinery/awaitable.ts";
import type { Clock, Timer } from "../../apimachinery/clock.ts";
import { expired, internalError, StatusError } from "../../apimachinery/errors/errors.ts";
import { messageOf } from "../../apimachinery/errors/message-of.ts";
import type { ResourceEvent, ResourceWatch } from "../../registry/contract/resource-watch.ts";
import { type PushedBody, pulled } from "../../request/pushed-body.ts";
import { StorageError } from "../../store/storage-error.ts";
import type { EventEncoding } from "./event-encoding.ts";
import { UnencodableEvents } from "./event-framing.ts";

/** How often bookmarks are sent, and how long before the end the last one is sent. */
const bookmarkMilliseconds = 60_000;
const lastBookmarkMilliseconds = 2_000;

/** How many initial events are encoded at once. The next ones are encoded when the client has read these. */
const objectsInChunk = 500;

/**
 * How many later events are encoded at once. One request can make thousands, such as the deletion of a collection; a client that does not
 * read would have a copy of them all in its connection.
 */
const eventsInChunk = 32;

/** The parts of an open watch. */
export interface EventStreamOptions {
  readonly open: () => ResourceWatch;
  readonly encoding: EventEncoding;
  readonly clock: Clock;
  /** The duration of the watch. */
  readonly milliseconds: number;
  /** Whether a bookmark marks the end of the initial events. */
  readonly endsInitialEvents: boolean;
  /** Called when the bookmark that marks the end of the initial events is sent. */
  readonly onInitialEventsEnd: () => void;
  readonly sendsBookmarks: boolean;
  /** Resolves when the store is fresh enough for the initial events; undefined if it is. */
  readonly freshness: () => Promise<void> | undefined;
  readonly signal: AbortSignal;
}

/**
 * The body of a watch, which opens at once, or when the store is fresh enough: no event between the answer and its first
 * read is lost. Events that are ready together form one piece, or a few. The end of the reading closes the watch.
 */
export function eventStream(options: EventStreamOptions): PushedBody {
  return new EventStream(options);
}

class EventStream implements PushedBody {
  readonly #options: EventStreamOptions;
  readonly #timers: Timer[] = [];
  /** Undefined until the store is fresh enough. */
  #watch: ResourceWatch | undefined;
  /** The number of initial events sent so far. */
  #sent = 0;
  #isInitialEndDue = false;
  /** The revision of the store when the watch was opened. */
  #openedAt = 0;
  /** The revision of the last initial event. */
  #initialRevision = 0;
  /** Events that have been taken from the watch, and not been read. */
  #unread: readonly ResourceEvent[] = [];
  /** How many of them have been read. */
  #read = 0;
  /** Whether events wait for a conversion. Nothing else is read from the watch before they are sent. */
  #isConverting = false;
  /** Converted events, or the end of a watch that could not be opened. */
  #ready: Uint8Array | undefined;
  #callback: () => void = () => {};
  #isBookmarkDue = false;
  /** Whether nothing can be read before the next call of the watch or of a timer. */
  #isDrained = false;
  #isTimeOver = false;
  #isOver = false;

  constructor(options: EventStreamOptions) {
    this.#options = options;
    const wait = options.freshness();
    if (wait === undefined) this.#open();
    else
      wait.then(
        () => this.#open(),
        (error) => this.#refuse(error),
      );
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return pulled(this);
  }

  get ended(): boolean {
    return this.#isOver && this.#ready === undefined;
  }

  get isUrgent(): boolean {
    return this.#watch?.isCrowded === true;
  }

  take(): Uint8Array | undefined {
    if (this.#isDrained) return undefined;
    const ready = this.#ready;
    this.#ready = undefined;
    if (ready !== undefined || this.#isOver || this.#isConverting || this.#watch === undefined) return ready;
    try {
      const piece = this.#piece(this.#watch);
      if (piece instanceof Promise) {
        this.#convert(piece);
        return undefined;
      }
      if (piece !== undefined) return piece;
      if (this.#watch.error !== undefined) return this.#fail(this.#watch.error);
      if (this.#watch.ended || this.#isTimeOver) this.#end();
    } catch (error) {
      return this.#fail(error);
    }
    return undefined;
  }

  onReady(callback: () => void): void {
    this.#callback = callback;
  }

  close(): void {
    if (this.#isOver) return;
    this.#end();
    this.#callback();
  }

  #open(): void {
    if (this.#isOver) return;
    try {
      this.#watch = this.#options.open();
      this.#openedAt = this.#watch.progress;
      this.#initialRevision = this.#watch.revision;
      this.#isInitialEndDue = this.#options.endsInitialEvents;
      this.#startTimers();
      this.#watch.onReady(() => this.#wake());
    } catch (error) {
      this.#refuse(error);
    }
    this.#wake();
  }

  #refuse(error: unknown): void {
    if (!this.#isOver) this.#ready = this.#fail(error);
    this.#wake();
  }

  #convert(piece: Promise<Uint8Array>): void {
    this.#isConverting = true;
    const converted = (bytes: Uint8Array | undefined): void => {
      this.#isConverting = false;
      this.#ready = bytes;
      this.#wake();
    };
    piece.then(
      (bytes) => converted(this.#isOver ? undefined : bytes),
      (error) => converted(this.#isOver ? undefined : this.#fail(error)),
    );
  }

  /** The next bytes: the initial events, then later events. */
  #piece(watch: ResourceWatch): Awaitable<Uint8Array> | undefined {
    const { encoding } = this.#options;
    if (this.#sent < watch.initial.length) {
      const objects = watch.initial.slice(this.#sent, this.#sent + objectsInChunk);
      this.#sent += objects.length;
      return encoding.initial(objects);
    }
    if (this.#isInitialEndDue) {
      this.#isInitialEndDue = false;
      this.#options.onInitialEventsEnd();
      return encoding.initialEventsEnd(watch.revision);
    }
    // The watch may have called for more while events of an earlier call waited here.
    const hadUnread = this.#unread.length > 0;
    const events = this.#drain(watch);
    if (events.length > 0) {
      const isPart = hadUnread || this.#unread.length > 0;
      this.#isDrained = !(isPart || this.#isBookmarkDue || this.#isTimeOver || watch.ended);
      this.#countInitial(events);
      return encoding.events(events);
    }
    if (!this.#isBookmarkDue || watch.error !== undefined || watch.ended || this.#isTimeOver)
      return undefined;
    this.#isBookmarkDue = false;
    // Upstream sends only what is newer than the initial events (apiserver, pkg/storage/cacher/cache_watcher.go: process).
    if (watch.progress <= this.#initialRevision) return undefined;
    return encoding.bookmark(watch.progress);
  }

  /** Events from before the watch was opened belong to the initial ones. */
  #countInitial(events: readonly ResourceEvent[]): void {
    if (this.#initialRevision >= this.#openedAt) return;
    for (const { revision } of events) if (revision <= this.#openedAt) this.#initialRevision = revision;
  }

  #drain(watch: ResourceWatch): readonly ResourceEvent[] {
    if (this.#read === this.#unread.length) {
      const events = watch.drain();
      if (events.length <= eventsInChunk) return events;
      this.#unread = events;
      this.#read = 0;
    }
    const start = this.#read;
    this.#read = Math.min(start + eventsInChunk, this.#unread.length);
    const events = this.#unread.slice(start, this.#read);
    if (this.#read === this.#unread.length) this.#forget();
    return events;
  }

  /** Ends the stream; returns the ERROR event, if it ends with one. */
  #fail(error: unknown): Uint8Array | undefined {
    this.#end();
    const { signal, encoding } = this.#options;
    return signal.aborted || endsQuietly(error) ? undefined : encoding.error(statusOf(error));
  }

  #end(): void {
    this.#isOver = true;
    this.#isDrained = false;
    this.#release();
  }

  #release(): void {
    this.#watch?.close();
    this.#stopTimers();
  }

  #stopTimers(): void {
    for (const timer of this.#timers.splice(0)) timer.cancel();
  }

  #wake(): void {
    this.#isDrained = false;
    this.#callback();
    const watch = this.#watch;
    if (watch !== undefined && (watch.ended || this.#isTimeOver)) this.#keepUnread(watch);
  }

  /** Closes a watch that is over, although its reader may come late or never. */
  #keepUnread(watch: ResourceWatch): void {
    this.#unread = this.#unread.slice(this.#read).concat(watch.drain());
    this.#read = 0;
    this.#release();
  }

  #forget(): void {
    this.#unread = [];
    this.#read = 0;
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

/**
 * Whether the stream ends without an ERROR event: upstream closes slow watches silently, and after a backup of etcd is
 * restored the servers are restarted.
 */
function endsQuietly(error: unknown): boolean {
  if (error instanceof UnencodableEvents) return true;
  return error instanceof StorageError && (error.reason === "tooSlow" || error.reason === "restored");
}

/** The Status of an ERROR event. */
function statusOf(error: unknown): StatusError["status"] {
  if (error instanceof StatusError) return error.status;
  if (error instanceof StorageError && error.requested !== undefined) {
    const { requested, compactRevision } = error.requested;
    return expired(`too old resource version: ${requested} (${compactRevision - 1})`).status;
  }
  return internalError(messageOf(error)).status;
}
