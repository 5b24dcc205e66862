/** Lets those who want the same thing have it one after the other, in the order in which they came. */
export class Turns {
  readonly #last = new Map<string, Promise<void>>();

  /** Resolves when all that came before have given the key back. The call that is handed over gives it back. */
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
