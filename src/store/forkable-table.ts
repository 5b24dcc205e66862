/** Stands for a key that was deleted after a layer below had it. */
const deleted: unique symbol = Symbol("deleted");

type Layer<V> = ReadonlyMap<string, V | typeof deleted>;

/**
 * A map without an order. Later writes to a fork or to its origin do not affect the other: below their own layer, both read the same
 * ones, which do not change. A fork takes constant time, unless it has to join layers: the upper one of two has less than half
 * as many keys as the lower one, so there are few. Joining costs each write a logarithm of the size in all.
 */
export class ForkableTable<V extends NonNullable<unknown>> {
  /** The later ones count first. */
  #layers: readonly Layer<V>[];
  #own = new Map<string, V | typeof deleted>();

  constructor(layers: readonly Layer<V>[] = []) {
    this.#layers = layers;
  }

  fork(): ForkableTable<V> {
    if (this.#own.size > 0) {
      this.#layers = joined([...this.#layers, this.#own]);
      this.#own = new Map();
    }
    return new ForkableTable(this.#layers);
  }

  get(key: string): V | undefined {
    const value = this.#own.get(key) ?? this.#below(key);
    return value === deleted ? undefined : value;
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  set(key: string, value: V): void {
    this.#own.set(key, value);
  }

  delete(key: string): void {
    const below = this.#below(key);
    if (below === undefined || below === deleted) this.#own.delete(key);
    else this.#own.set(key, deleted);
  }

  #below(key: string): V | typeof deleted | undefined {
    for (let i = this.#layers.length - 1; i >= 0; i--) {
      const value = this.#layers[i]?.get(key);
      if (value !== undefined) return value;
    }
    return undefined;
  }
}

/** Joins the last layers until each one is small enough for the one below it. */
function joined<V>(layers: Layer<V>[]): readonly Layer<V>[] {
  for (;;) {
    const upper = layers.at(-1);
    const lower = layers.at(-2);
    if (upper === undefined || lower === undefined || upper.size * 2 < lower.size) return layers;
    const both = new Map(lower);
    for (const [key, value] of upper) {
      if (value === deleted && layers.length === 2) both.delete(key);
      else both.set(key, value);
    }
    layers.splice(-2, 2, both);
  }
}
