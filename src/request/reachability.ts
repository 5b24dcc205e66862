/** Whether clients can reach the server. Ports follow it; in process every request checks it. */
export interface Reachability {
  readonly isReachable: boolean;
  /** Calls the listener on every change until the returned function is called. */
  onChange(listener: (isReachable: boolean) => void): () => void;
}

/** Switches reachability off while at least one outage is in effect. */
export class ReachabilityControl implements Reachability {
  readonly #listeners = new Set<(isReachable: boolean) => void>();
  /** What each outage in effect calls for a refused request. */
  readonly #outages = new Set<() => void>();

  get isReachable(): boolean {
    return this.#outages.size === 0;
  }

  /**
   * Disconnects all clients until the returned function is called. Calls `refused` for each request that is refused
   * meanwhile, and once if a port disconnects its clients, whose attempts it cannot see.
   */
  interrupt(refused: () => void): () => void {
    if (this.#listeners.size > 0) refused();
    const outage = () => refused();
    this.#change(() => this.#outages.add(outage));
    return () => this.#change(() => this.#outages.delete(outage));
  }

  /** Notes that a request has been refused because clients cannot reach the server. */
  refuse(): void {
    for (const refused of this.#outages) refused();
  }

  onChange(listener: (isReachable: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #change(change: () => void): void {
    const before = this.isReachable;
    change();
    if (this.isReachable === before) return;
    for (const listener of this.#listeners) listener(this.isReachable);
  }
}
