/** Whether clients can reach the server at all. Ports follow it; in process every request asks. */
export interface Reach {
  readonly isReachable: boolean;
  /** Calls back whenever it changes, until the function returned is called. */
  onChange(listener: (isReachable: boolean) => void): () => void;
}

/** The same, for who may change it. */
export class Reachability implements Reach {
  readonly #listeners = new Set<(isReachable: boolean) => void>();
  /** How many outages are in force. */
  #outages = 0;

  get isReachable(): boolean {
    return this.#outages === 0;
  }

  /** Cuts everybody off until the function returned is called. */
  interrupt(): () => void {
    this.#count(1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#count(-1);
    };
  }

  onChange(listener: (isReachable: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #count(change: 1 | -1): void {
    const before = this.isReachable;
    this.#outages += change;
    if (this.isReachable === before) return;
    for (const listener of this.#listeners) listener(this.isReachable);
  }
}
