import type { Memory } from "../../controllers/controller-memory.ts";
import { ForkableMap } from "../../store/forkable-map.ts";

/** Keys that a controller remembers. A fork takes constant time. */
export class KeySet implements Memory {
  readonly #keys: ForkableMap<string>;

  constructor(keys: ForkableMap<string> = new ForkableMap()) {
    this.#keys = keys;
  }

  fork(): this {
    // The class has no subclasses.
    return new KeySet(this.#keys.fork()) as this;
  }

  add(key: string): void {
    this.#keys.set(key, key);
  }

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  delete(key: string): void {
    this.#keys.delete(key);
  }

  /** The keys with a prefix, in order. */
  keys(prefix = ""): readonly string[] {
    return this.#keys.values(prefix);
  }
}
