import { BTree } from "./btree.ts";
import type { TreeEntry } from "./btree-node.ts";
import { ForkableTable } from "./forkable-table.ts";
import { keyAfterPrefix } from "./key-order.ts";

/** A key in its place. It has no revisions: it exists as long as it is in the tree. */
class PlacedKey implements TreeEntry {
  readonly live = true;
  readonly modRevision = 0;
  readonly key: string;

  constructor(key: string) {
    this.key = key;
  }

  at(): this {
    return this;
  }
}

/**
 * A map in the order of its keys. A fork takes constant time, and later writes to one do not affect the other. Values have a
 * table of their own, because most writes replace the value of a known key, and most reads ask for one key.
 */
export class ForkableMap<V extends NonNullable<unknown>> {
  readonly #keys: BTree<PlacedKey>;
  readonly #values: ForkableTable<V>;

  constructor(keys: BTree<PlacedKey> = new BTree(), values: ForkableTable<V> = new ForkableTable()) {
    this.#keys = keys;
    this.#values = values;
  }

  fork(): ForkableMap<V> {
    return new ForkableMap(this.#keys.fork(), this.#values.fork());
  }

  get(key: string): V | undefined {
    return this.#values.get(key);
  }

  has(key: string): boolean {
    return this.#values.has(key);
  }

  set(key: string, value: V): void {
    if (!this.#values.has(key)) this.#keys.update(key, () => new PlacedKey(key));
    this.#values.set(key, value);
  }

  delete(key: string): void {
    if (!this.#values.has(key)) return;
    this.#keys.update(key, () => undefined);
    this.#values.delete(key);
  }

  /** The values of the keys with a prefix, at most `limit` of them, in the order of the keys. */
  values(prefix: string, limit: number = Number.POSITIVE_INFINITY): readonly V[] {
    const found: V[] = [];
    if (limit <= 0) return found;
    this.#keys.scan({ from: prefix, end: keyAfterPrefix(prefix) }, 0, (entries, first, last) => {
      for (let i = first; i < last; i++) {
        const value = this.#values.get(entries[i]?.key ?? "");
        if (value !== undefined) found.push(value);
        if (found.length === limit) return "end";
      }
      return "some";
    });
    return found;
  }
}
