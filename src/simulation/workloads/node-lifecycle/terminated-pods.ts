import { textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { ObjectChange } from "../../../controllers/contract/controller.ts";
import type { Memory } from "../../../controllers/controller-memory.ts";
import { ForkableMap } from "../../../store/forkable-map.ts";
import { ForkableTable } from "../../../store/forkable-table.ts";
import { keyOf } from "../contract/object-key.ts";
import { isFinished } from "../pods/pod-state.ts";

/** The pods that have terminated: evicted ones first, then by age and name. */
export class TerminatedPods implements Memory {
  /** The keys of pods, in the order of their deletion. */
  readonly #order: ForkableMap<string>;
  /** The places in the order, by key. */
  readonly #places: ForkableTable<string>;
  #count: number;

  constructor(
    order: ForkableMap<string> = new ForkableMap(),
    places: ForkableTable<string> = new ForkableTable(),
    count = 0,
  ) {
    this.#order = order;
    this.#places = places;
    this.#count = count;
  }

  fork(): this {
    // The class has no subclasses.
    return new TerminatedPods(this.#order.fork(), this.#places.fork(), this.#count) as this;
  }

  take({ type, object }: ObjectChange): void {
    const key = keyOf(object);
    const known = this.#places.get(key);
    const place = type === "put" && isFinished(object) ? placeOf(object) : undefined;
    if (known === place) return;
    if (known !== undefined) {
      this.#order.delete(known);
      this.#places.delete(key);
      this.#count--;
    }
    if (place === undefined) return;
    this.#order.set(place, key);
    this.#places.set(key, place);
    this.#count++;
  }

  /** The keys of the first pods that are more than `threshold`. */
  above(threshold: number): readonly string[] {
    return this.#order.values("", this.#count - threshold);
  }
}

/** Upstream: `byEvictionAndCreationTimestamp` (pkg/controller/podgc/gc_controller.go). */
function placeOf(pod: KubeObject): string {
  const isEvicted =
    textAt(pod, "status", "phase") === "Failed" && textAt(pod, "status", "reason") === "Evicted";
  const { creationTimestamp, name = "", namespace = "" } = pod.metadata;
  return `${isEvicted ? 0 : 1}/${creationTimestamp}/${name}/${namespace}`;
}
