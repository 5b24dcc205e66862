/** The largest number of values of a range that is remembered, and of such ranges. */
const [mostValues, mostRanges] = [8, 16];

/**
 * The values of whole ranges that were read last, until a key in one is written. Every write of a pod asks for the same few
 * objects: the limits and quotas of its namespace, and the priority classes.
 */
export class ShortRanges<V> {
  readonly #ranges = new Map<string, readonly V[]>();

  /** The values below a prefix, if they are remembered. */
  get(prefix: string): readonly V[] | undefined {
    return this.#ranges.get(prefix);
  }

  remember(prefix: string, values: readonly V[]): void {
    if (values.length > mostValues) return;
    if (this.#ranges.size === mostRanges) this.#ranges.clear();
    this.#ranges.set(prefix, values);
  }

  /** Forgets the ranges that contain a key. */
  forget(key: string): void {
    for (const prefix of this.#ranges.keys()) if (key.startsWith(prefix)) this.#ranges.delete(prefix);
  }
}
