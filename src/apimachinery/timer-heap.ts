/** A timer that has not fired yet. */
export interface WaitingTimer {
  readonly at: number;
  readonly callback: () => void;
  /** The index in the heap; -1 after its removal. */
  position: number;
  /** Timers that are due at the same time fire in the order in which they were set. */
  readonly sequence: number;
}

/** Timers by due time. Adding, removing and firing one cost O(log n). */
export class TimerHeap {
  readonly #timers: WaitingTimer[] = [];
  #sequence = 0;

  add(at: number, callback: () => void): WaitingTimer {
    const timer = { at, callback, position: this.#timers.length, sequence: this.#sequence++ };
    this.#timers.push(timer);
    this.#rise(timer);
    return timer;
  }

  /** Removes a timer; does nothing if it was removed before. */
  remove(timer: WaitingTimer): void {
    const { position } = timer;
    if (position < 0) return;
    timer.position = -1;
    const last = this.#timers.pop();
    if (last === undefined || last === timer) return;
    this.#place(last, position);
    this.#rise(last);
    this.#sink(last);
  }

  /** The timer that is due first. */
  get next(): WaitingTimer | undefined {
    return this.#timers[0];
  }

  /** Fires the timers that are due by this time, in order; also those that others set meanwhile. */
  fire(time: number): void {
    for (let first = this.next; first !== undefined && first.at <= time; first = this.next) {
      this.remove(first);
      first.callback();
    }
  }

  #rise(timer: WaitingTimer): void {
    while (timer.position > 0) {
      const above = this.#timers[(timer.position - 1) >> 1];
      if (above === undefined || isBefore(above, timer)) return;
      this.#swap(above, timer);
    }
  }

  #sink(timer: WaitingTimer): void {
    for (;;) {
      const left = this.#timers[2 * timer.position + 1];
      const right = this.#timers[2 * timer.position + 2];
      const below = left !== undefined && right !== undefined && isBefore(right, left) ? right : left;
      if (below === undefined || isBefore(timer, below)) return;
      this.#swap(timer, below);
    }
  }

  #swap(a: WaitingTimer, b: WaitingTimer): void {
    const { position } = a;
    this.#place(a, b.position);
    this.#place(b, position);
  }

  #place(timer: WaitingTimer, position: number): void {
    this.#timers[position] = timer;
    timer.position = position;
  }
}

function isBefore(a: WaitingTimer, b: WaitingTimer): boolean {
  return a.at === b.at ? a.sequence < b.sequence : a.at < b.at;
}
