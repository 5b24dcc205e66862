interface Entry<T> {
  readonly value: T;
  /** Counts the calls of `set`. */
  readonly turn: number;
}

/**
 * A map that keeps a number of entries: those that were set last. A `Map` whose first key is deleted again and again would
 * search for that key among the deleted ones.
 */
export class LatestEntries<T> {
  readonly #most: number;
  #entries = new Map<string, Entry<T>>();
  /** The keys of the calls of `set` from the turn `#first` on. Only the last place of a key counts. */
  #keys: string[] = [];
  #first = 0;
  /** The place in `#keys` up to which entries are forgotten. */
  #forgotten = 0;

  constructor(most: number) {
    this.#most = most;
  }

  fork(): LatestEntries<T> {
    const copy = new LatestEntries<T>(this.#most);
    copy.#entries = new Map(this.#entries);
    copy.#keys = [...this.#keys];
    copy.#first = this.#first;
    copy.#forgotten = this.#forgotten;
    return copy;
  }

  get(key: string): T | undefined {
    return this.#entries.get(key)?.value;
  }

  set(key: string, value: T): void {
    if (this.#keys.length >= 4 * this.#most) this.#dropPlaces();
    this.#entries.set(key, { value, turn: this.#first + this.#keys.length });
    this.#keys.push(key);
    while (this.#entries.size > this.#most) this.#forget(this.#forgotten++);
  }

  #forget(place: number): void {
    const key = this.#keys[place] ?? "";
    if (this.#entries.get(key)?.turn === this.#first + place) this.#entries.delete(key);
  }

  /** Keeps the last place of each key. */
  #dropPlaces(): void {
    const kept = [...this.#entries].sort(([, a], [, b]) => a.turn - b.turn);
    this.#first += this.#keys.length;
    this.#entries = new Map(
      kept.map(([key, { value }], place) => [key, { value, turn: this.#first + place }]),
    );
    this.#keys = kept.map(([key]) => key);
    this.#forgotten = 0;
  }
}
