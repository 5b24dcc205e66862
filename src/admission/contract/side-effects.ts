/** What plugins have done besides looking at a write, such as charging a quota; it is taken back if the write fails after all. */
export class SideEffects {
  #reversals: (() => Promise<void>)[] = [];
  #endings: (() => void)[] = [];

  /** Takes note of what has been done, by what takes it back. */
  add(reversal: () => Promise<void>): void {
    this.#reversals.push(reversal);
  }

  /** Takes note of what has to be done when the write has succeeded, or has failed and been taken back. */
  addEnding(ending: () => void): void {
    this.#endings.push(ending);
  }

  get isEmpty(): boolean {
    return this.#reversals.length === 0 && this.#endings.length === 0;
  }

  /** Takes back what has been done so far, the last first. Each is tried, whatever becomes of the others. */
  async revert(): Promise<void> {
    const reversals = this.#reversals.reverse();
    this.#reversals = [];
    // What cannot be taken back must not hide why the write failed; who keeps the account counts anew some time.
    for (const reverse of reversals) await reverse().catch(() => {});
    this.end();
  }

  /** The write is over, or begins anew. */
  end(): void {
    for (const ending of this.#endings.splice(0)) ending();
  }
}
