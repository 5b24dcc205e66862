import type { EventQueue } from "./event-queue.ts";
import type { Revision } from "./revision.ts";
import { callbackFailed, type StorageError, tooSlow } from "./storage-error.ts";
import type { StoreEvent } from "./stored-value.ts";

/**
 * The events of a watch, in order, without gaps and duplicates. Readers use `for await`, or `onReady` with `drain`.
 * The feed ends when it is closed, or with an error of the store; waiting events are then dropped. An iteration
 * throws the error once. The interface takes one type argument because it has no others before TypeScript 5.6.
 */
export interface WatchFeed<T extends object> extends AsyncIterableIterator<StoreEvent<T>> {
  /** Whether half of the events that may wait do. */
  readonly isCrowded: boolean;
  /** Whether the feed has ended, so that no events follow. */
  readonly ended: boolean;
  /** The error of the feed, unless it was closed. */
  readonly error: StorageError | undefined;
  next(): Promise<IteratorResult<StoreEvent<T>, undefined>>;
  return(): Promise<IteratorResult<StoreEvent<T>, undefined>>;
  /** Removes and returns all waiting events. */
  drain(): readonly StoreEvent<T>[];
  /**
   * Calls back, never during a write, when events are waiting or the feed has ended. One call can stand for many
   * events. If a callback throws, its feed ends.
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

/** The effect of a restore of an older state on a watcher. A cache has to end; a client's watch continues. */
export type RestoreBehavior = "end" | "continue";

/** The feeds of a store to call back in the next microtask: one for all, because one write can wake thousands. */
export class WakeUps {
  #feeds: { callBack(): void }[] = [];

  add(feed: { callBack(): void }): void {
    // Not `queueMicrotask`, which a test's fake timers may stop.
    if (this.#feeds.length === 0) void Promise.resolve().then(() => this.#callBack());
    this.#feeds.push(feed);
  }

  #callBack(): void {
    const feeds = this.#feeds;
    this.#feeds = [];
    for (const feed of feeds) feed.callBack();
  }
}

/** The feed as the store sees it. */
export class Watcher<T extends object> implements WatchFeed<T> {
  #from: Revision;
  readonly #queue: EventQueue<StoreEvent<T>>;
  readonly #wakeUps: WakeUps;
  readonly #onEnd: (watcher: Watcher<T>) => void;
  /** Calls of `next` that wait for an event; empty while events are waiting. */
  #waiters: Waiter<T>[] = [];
  #callback: (() => void) | undefined;
  #isScheduled = false;
  #ended = false;
  #error: StorageError | undefined;
  #isErrorThrown = false;

  /** Whether it ends or continues when the store restores an older state. */
  readonly onRestore: RestoreBehavior;

  /** The watcher skips events up to `from`. `onEnd` is called once. */
  constructor(
    from: Revision,
    queue: EventQueue<StoreEvent<T>>,
    wakeUps: WakeUps,
    onEnd: (watcher: Watcher<T>) => void,
    onRestore: RestoreBehavior = "end",
  ) {
    this.#from = from;
    this.#queue = queue;
    this.#wakeUps = wakeUps;
    this.onRestore = onRestore;
    this.#onEnd = onEnd;
  }

  get isCrowded(): boolean {
    return this.#queue.size * 2 >= this.#queue.capacity;
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

  /** Adds an event. Runs no code of the reader. */
  publish(event: StoreEvent<T>): void {
    if (this.#ended || event.revision <= this.#from) return;
    const waiter = this.#waiters.shift();
    if (waiter !== undefined) waiter.resolve({ done: false, value: event });
    else if (this.#queue.push(event)) this.#wake();
    else this.end(tooSlow(this.#queue.capacity));
  }

  /** Skips events up to a revision, after the store has returned to an older state. */
  skipTo(revision: Revision): void {
    this.#from = Math.max(this.#from, revision);
  }

  /** Ends the feed, once. Runs no code of the reader. */
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

  /** Calls back in a microtask, so that a callback neither runs during a write nor breaks it. */
  #wake(): void {
    if (this.#callback === undefined || this.#isScheduled) return;
    this.#isScheduled = true;
    this.#wakeUps.add(this);
  }

  /** Calls the reader back. */
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
