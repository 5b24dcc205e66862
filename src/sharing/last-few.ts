/** How many sets of options are known for each catalog. */
const mostSets = 4;

/** What a process knows of its clusters, by the options that decide it; that of the last few sets of options is kept. */
export class LastFew<T> {
  readonly #byOptions = new Map<string, T>();

  /** What is known for these options, made if there is nothing yet. */
  of(options: unknown, make: () => T): T {
    const key = JSON.stringify(options);
    const known = this.#byOptions.get(key) ?? make();
    this.#byOptions.delete(key);
    this.#byOptions.set(key, known);
    for (const oldest of this.#byOptions.keys()) {
      if (this.#byOptions.size <= mostSets) break;
      this.#byOptions.delete(oldest);
    }
    return known;
  }
}
