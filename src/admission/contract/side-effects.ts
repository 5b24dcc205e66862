/**
 * The changes that plugins make besides the write itself, such as charging a quota. They are reverted if the write
 * fails.
 */
export class SideEffects {
  #reversals: (() => Promise<void>)[] = [];
  #endings: (() => void)[] = [];

  /** Registers a change by the function that reverts it. */
  add(reversal: () => Promise<void>): void {
    this.#reversals.push(reversal);
  }

  /** Registers a function to call when the write has succeeded, or has failed and its changes are reverted. */
  addEnding(ending: () => void): void {
    this.#endings.push(ending);
  }

  get isEmpty(): boolean {
    return this.#reversals.length === 0 && this.#endings.length === 0;
  }

  /** Reverts the registered changes, the last first. If one revert fails, the others still run. */
  async revert(): Promise<void> {
    const reversals = this.#reversals.reverse();
    this.#reversals = [];
    // A failed revert must not hide why the write failed; the quota controller recounts later.
    for (const reverse of reversals) await reverse().catch(() => {});
    this.end();
  }

  /** Ends the write, or one attempt of it. */
  end(): void {
    for (const ending of this.#endings.splice(0)) ending();
  }
}
