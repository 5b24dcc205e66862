/** Whether clients can reach the server. Ports follow it; in process every request checks it. */
export interface Reachability {
  readonly isReachable: boolean;
  /** Calls the listener on every change until the returned function is called. */
  onChange(listener: (isReachable: boolean) => void): () => void;
}

/** Switches reachability off while at least one outage is in effect. */
export class ReachabilityControl implements Reachability {
  readonly #listeners = new Set<(isReachable: boolean) => void>();
  /** How many outages are in effect. */
  #outages = 0;

  get isReachable(): boolean {
    return this.#outages === 0;
  }

  /** Disconnects all clients until the returned function is called. */
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
