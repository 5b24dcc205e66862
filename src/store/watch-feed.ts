import type { EventQueue } from "./event-queue.ts";
import type { Revision } from "./revision.ts";
import { callbackFailed, type StorageError, tooSlow } from "./storage-error.ts";
import type { StoreEvent } from "./stored-value.ts";

/**
 * The events of one watch, in order, without gap or duplicate. Read it with `for await`, or with `onReady` and
 * `drain`. It ends when it is closed, and with an error when the store cannot go on with it; what waits is then
 * dropped. An iteration throws the error once.
 */
export interface WatchFeed<T extends object>
  extends AsyncIterableIterator<StoreEvent<T>, undefined, undefined> {
  /** Whether no more events will come, nor wait. */
  readonly ended: boolean;
  /** Why the feed ended, if not by being closed. */
  readonly error: StorageError | undefined;
  next(): Promise<IteratorResult<StoreEvent<T>, undefined>>;
  return(): Promise<IteratorResult<StoreEvent<T>, undefined>>;
  /** Takes all events that wait. */
  drain(): readonly StoreEvent<T>[];
  /**
   * Calls back, never within a write, whenever events have come to wait or the feed has ended. One call can stand for
   * many events. A callback that throws ends its feed.
   */
  onReady(callback: () => void): void;
  /** Ends the feed. */
  close(): void;
}

interface Waiter<T extends object> {
  resolve(result: IteratorResult<StoreEvent<T>, undefined>): void;
  reject(error: StorageError): void;
}

const done = { done: true, value: undefined } as const;

/** The store's side of a feed. */
export class Watcher<T extends object> implements WatchFeed<T> {
  #from: Revision;
  readonly #queue: EventQueue<StoreEvent<T>>;
  readonly #onEnd: (watcher: Watcher<T>) => void;
  /** Calls of `next` that wait for an event; there are none while events wait for a call. */
  #waiters: Waiter<T>[] = [];
  #callback: (() => void) | undefined;
  #isScheduled = false;
  #ended = false;
  #error: StorageError | undefined;
  #isErrorThrown = false;

  /** Whether it can go on when the store goes back to an older state. */
  readonly outlivesRestore: boolean;

  /** Events up to `from` do not concern the watcher. `onEnd` is called once. */
  constructor(
    from: Revision,
    queue: EventQueue<StoreEvent<T>>,
    onEnd: (watcher: Watcher<T>) => void,
    outlivesRestore = false,
  ) {
    this.#from = from;
    this.#queue = queue;
    this.outlivesRestore = outlivesRestore;
    this.#onEnd = onEnd;
  }

  get ended(): boolean {
    return this.#ended;
  }

  get error(): StorageError | undefined {
    return this.#error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<StoreEvent<T>, undefined>> {
    const event = this.#queue.shift();
    if (event !== undefined) return Promise.resolve({ done: false, value: event });
    if (this.#ended) return this.#end();
    return new Promise((resolve, reject) => this.#waiters.push({ resolve, reject }));
  }

  return(): Promise<IteratorResult<StoreEvent<T>, undefined>> {
    this.close();
    return Promise.resolve(done);
  }

  drain(): readonly StoreEvent<T>[] {
    return this.#queue.drain();
  }

  onReady(callback: () => void): void {
    this.#callback = callback;
    if (this.#queue.size > 0 || this.#ended) this.#wake();
  }

  close(): void {
    this.end(undefined);
  }

  /** Takes an event of the store. Runs no code of the reader. */
  publish(event: StoreEvent<T>): void {
    if (this.#ended || event.revision <= this.#from) return;
    const waiter = this.#waiters.shift();
    if (waiter !== undefined) waiter.resolve({ done: false, value: event });
    else if (this.#queue.push(event)) this.#wake();
    else this.end(tooSlow(this.#queue.capacity));
  }

  /** Passes over events up to a revision, if it is to begin earlier: the store has gone back to a state before it. */
  skipTo(revision: Revision): void {
    this.#from = Math.max(this.#from, revision);
  }

  /** Ends the feed, if it has not ended. Runs no code of the reader. */
  end(error: StorageError | undefined): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#error = error;
    this.#queue.clear();
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const waiter of waiters) this.#end().then(waiter.resolve, waiter.reject);
    this.#wake();
    this.#onEnd(this);
  }

  #end(): Promise<IteratorResult<StoreEvent<T>, undefined>> {
    if (this.#error === undefined || this.#isErrorThrown) return Promise.resolve(done);
    this.#isErrorThrown = true;
    return Promise.reject(this.#error);
  }

  /** Calls back in a microtask, so that a callback can neither stand in a write nor break it. */
  #wake(): void {
    if (this.#callback === undefined || this.#isScheduled) return;
    this.#isScheduled = true;
    // A promise, since a test's fake timers may stop `queueMicrotask`.
    if (woken.length === 0) void Promise.resolve().then(callBack);
    woken.push(this);
  }

  /** Tells the reader that it was woken. */
  callBack(): void {
    this.#isScheduled = false;
    try {
      this.#callback?.();
    } catch (error) {
      this.#callback = undefined;
      this.end(callbackFailed(error));
    }
  }
}

/** Who is called back at the end of this turn: one microtask for all, as one write can wake thousands. */
let woken: { callBack(): void }[] = [];

function callBack(): void {
  const watchers = woken;
  woken = [];
  for (const watcher of watchers) watcher.callBack();
}
