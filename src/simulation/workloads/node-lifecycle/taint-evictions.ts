import type { JsonObject } from "../../../apimachinery/json.ts";
import type { Memory } from "../../../controllers/controller-memory.ts";
import { ForkableTable } from "../../../store/forkable-table.ts";

/** When a pod is evicted, in milliseconds since the epoch, or that it has been. */
export type TaintEviction = { readonly due: number } | "done";

/** The evictions from nodes with taints, by the keys of pods. */
export class TaintEvictions implements Memory {
  readonly #taints: ForkableTable<readonly JsonObject[]>;
  readonly #evictions: ForkableTable<TaintEviction>;

  constructor(
    taints: ForkableTable<readonly JsonObject[]> = new ForkableTable(),
    evictions: ForkableTable<TaintEviction> = new ForkableTable(),
  ) {
    this.#taints = taints;
    this.#evictions = evictions;
  }

  fork(): this {
    // The class has no subclasses.
    return new TaintEvictions(this.#taints.fork(), this.#evictions.fork()) as this;
  }

  /** The taints of a node with the effect NoExecute. */
  taintsOf(node: string): readonly JsonObject[] {
    return this.#taints.get(node) ?? [];
  }

  setTaints(node: string, taints: readonly JsonObject[]): void {
    if (taints.length > 0) this.#taints.set(node, taints);
    else this.#taints.delete(node);
  }

  get(pod: string): TaintEviction | undefined {
    return this.#evictions.get(pod);
  }

  set(pod: string, eviction: TaintEviction): void {
    this.#evictions.set(pod, eviction);
  }

  delete(pod: string): void {
    this.#evictions.delete(pod);
  }
}
