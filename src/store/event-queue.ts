/** The result of a read when the queue is empty. */
const none: readonly never[] = [];

/**
 * The events that wait for one watcher, in order. The replay of history at the start does not count toward the
 * capacity, because its length does not depend on how slow the reader is.
 */
export class EventQueue<E> {
  /** The number of events that can wait besides the replay. */
  readonly capacity: number;
  #events: E[];
  /** The index of the first waiting event. */
  #head = 0;
  /** The end of the replay in `#events`. */
  #replayEnd: number;

  constructor(capacity: number, replay: readonly E[]) {
    this.capacity = capacity;
    this.#events = replay.slice();
    this.#replayEnd = replay.length;
  }

  get size(): number {
    return this.#events.length - this.#head;
  }

  /** Adds an event; false if the queue is full. */
  push(event: E): boolean {
    if (this.#events.length - Math.max(this.#head, this.#replayEnd) >= this.capacity) return false;
    this.#events.push(event);
    return true;
  }

  /** Removes and returns the first event. */
  shift(): E | undefined {
    const event = this.#events[this.#head];
    if (event === undefined) return undefined;
    this.#head++;
    // Compacts the array when half of it has been read, so that each event is moved at most once.
    if (this.#head * 2 >= this.#events.length) {
      this.#events = this.#events.slice(this.#head);
      this.#replayEnd = Math.max(0, this.#replayEnd - this.#head);
      this.#head = 0;
    }
    return event;
  }

  /** Removes and returns all events. */
  drain(): readonly E[] {
    if (this.size === 0) return none;
    const events = this.#head === 0 ? this.#events : this.#events.slice(this.#head);
    this.clear();
    return events;
  }

  /** Drops all events. */
  clear(): void {
    this.#events = [];
    this.#head = 0;
    this.#replayEnd = 0;
  }
}
