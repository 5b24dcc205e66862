/** Serializes work per key, in the order of the calls. */
export class Turns {
  readonly #last = new Map<string, Promise<void>>();

  /** Resolves when all earlier calls for the key have released it. Call the returned function to release it. */
  async take(key: string): Promise<() => void> {
    const before = this.#last.get(key);
    let giveBack = () => {};
    const mine = new Promise<void>((resolve) => {
      giveBack = resolve;
    });
    this.#last.set(key, mine);
    await before;
    return () => {
      giveBack();
      if (this.#last.get(key) === mine) this.#last.delete(key);
    };
  }
}
