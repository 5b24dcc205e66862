import type { Memory } from "../../../controllers/controller-memory.ts";

/** When nodes were deleted that still have pods, in milliseconds since the epoch. */
export class DeletedNodes implements Memory {
  readonly #times: Map<string, number>;

  constructor(times: ReadonlyMap<string, number> = new Map()) {
    this.#times = new Map(times);
  }

  fork(): this {
    // The class has no subclasses.
    return new DeletedNodes(this.#times) as this;
  }

  add(node: string, time: number): void {
    this.#times.set(node, time);
  }

  since(node: string): number | undefined {
    return this.#times.get(node);
  }

  forget(node: string): void {
    this.#times.delete(node);
  }
}
