/** The groups whose CustomResourceDefinitions are not established meanwhile. */
export class EstablishmentHolds {
  readonly #groups: string[] = [];
  readonly #listeners = new Set<() => void>();

  isHeld(group: string): boolean {
    return this.#groups.includes(group);
  }

  /** Holds back the definitions of a group until the returned function is called. */
  hold(group: string): () => void {
    this.#groups.push(group);
    return () => {
      const index = this.#groups.indexOf(group);
      if (index < 0) return;
      this.#groups.splice(index, 1);
      for (const listener of this.#listeners) listener();
    };
  }

  /** Calls back when definitions are no longer held. */
  onRelease(listener: () => void): void {
    this.#listeners.add(listener);
  }
}
