import { BTree } from "./btree.ts";
import type { TreeEntry } from "./btree-node.ts";
import { keyAfterPrefix } from "./key-order.ts";

/** A key with its value. It has no revisions: it exists as long as it is in the tree. */
class MapEntry<V> implements TreeEntry {
  readonly live = true;
  readonly modRevision = 0;
  readonly key: string;
  readonly value: V;

  constructor(key: string, value: V) {
    this.key = key;
    this.value = value;
  }

  at(): this {
    return this;
  }
}

/** A map in the order of its keys. A fork takes constant time, and later writes to one do not affect the other. */
export class ForkableMap<V> {
  readonly #tree: BTree<MapEntry<V>>;

  constructor(tree: BTree<MapEntry<V>> = new BTree()) {
    this.#tree = tree;
  }

  fork(): ForkableMap<V> {
    return new ForkableMap(this.#tree.fork());
  }

  get(key: string): V | undefined {
    return this.#tree.get(key)?.value;
  }

  has(key: string): boolean {
    return this.#tree.get(key) !== undefined;
  }

  set(key: string, value: V): void {
    this.#tree.update(key, () => new MapEntry(key, value));
  }

  /** Sets a key to what `next` makes of its value, and returns the value before. `next` must not throw. */
  change(key: string, next: (before: V | undefined) => V): V | undefined {
    let before: V | undefined;
    this.#tree.update(key, (entry) => {
      before = entry?.value;
      return new MapEntry(key, next(before));
    });
    return before;
  }

  delete(key: string): void {
    this.#tree.update(key, () => undefined);
  }

  /** The values of the keys with a prefix, at most `limit` of them, in the order of the keys. */
  values(prefix: string, limit: number = Number.POSITIVE_INFINITY): readonly V[] {
    const found: V[] = [];
    if (limit <= 0) return found;
    this.#tree.scan({ from: prefix, end: keyAfterPrefix(prefix) }, 0, (entries, first, last) => {
      for (let i = first; i < last; i++) {
        const entry = entries[i];
        if (entry !== undefined) found.push(entry.value);
        if (found.length === limit) return "end";
      }
      return "some";
    });
    return found;
  }
}
