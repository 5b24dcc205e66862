/** A mutual exclusion lock for each key. Callers acquire a lock in the order of their calls. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<void>>();

  /** Resolves with the function that releases the lock, as soon as all earlier holders of the key have released it. */
  async lock(key: string): Promise<() => void> {
    const previous = this.#last.get(key);
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.#last.set(key, released);
    await previous;
    return () => {
      release();
      if (this.#last.get(key) === released) this.#last.delete(key);
    };
  }
}
