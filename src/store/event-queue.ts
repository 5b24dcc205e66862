/** Readers ask again when they have taken what there was. */
const none: readonly never[] = [];

/**
 * What waits for one watcher, in order. What it begins with, the replay, takes none of its capacity: it is as long as
 * the history, not as long as the reader is slow.
 */
export class EventQueue<E> {
  /** How many events can wait besides the replay. */
  readonly capacity: number;
  #events: E[];
  /** The place of the first event that waits; those before it are taken. */
  #head = 0;
  /** Where the replay ends in `#events`. */
  #replayEnd: number;

  constructor(capacity: number, replay: readonly E[]) {
    this.capacity = capacity;
    this.#events = replay.slice();
    this.#replayEnd = replay.length;
  }

  get size(): number {
    return this.#events.length - this.#head;
  }

  /** Whether there was room for the event. */
  push(event: E): boolean {
    if (this.#events.length - Math.max(this.#head, this.#replayEnd) >= this.capacity) return false;
    this.#events.push(event);
    return true;
  }

  /** Takes the first event. */
  shift(): E | undefined {
    const event = this.#events[this.#head];
    if (event === undefined) return undefined;
    this.#head++;
    // Taken events go once they are half of the array, so that moving the rest costs each event but one step.
    if (this.#head * 2 >= this.#events.length) {
      this.#events = this.#events.slice(this.#head);
      this.#replayEnd = Math.max(0, this.#replayEnd - this.#head);
      this.#head = 0;
    }
    return event;
  }

  /** Takes all events. */
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
