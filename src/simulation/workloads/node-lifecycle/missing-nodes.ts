import type { Memory } from "../../../controllers/controller-memory.ts";

/** Since when nodes are missing that have pods, in milliseconds since the epoch. */
export class MissingNodes implements Memory {
  readonly #times: Map<string, number>;

  constructor(times: ReadonlyMap<string, number> = new Map()) {
    this.#times = new Map(times);
  }

  fork(): this {
    // The class has no subclasses.
    return new MissingNodes(this.#times) as this;
  }

  /** Remembers the time, unless the node was missing before. */
  add(node: string, time: number): void {
    if (!this.#times.has(node)) this.#times.set(node, time);
  }

  since(node: string): number | undefined {
    return this.#times.get(node);
  }

  forget(node: string): void {
    this.#times.delete(node);
  }
}
