import { ForkableMap } from "../store/forkable-map.ts";
import { ForkableTable } from "../store/forkable-table.ts";

/** When each Event ends. A fork takes constant time. */
export class EventEnds {
  /** By the key of the Event, in milliseconds since the epoch. */
  readonly #ends: ForkableTable<number>;
  /** Keys by their end. */
  readonly #order: ForkableMap<string>;

  constructor(
    ends: ForkableTable<number> = new ForkableTable(),
    order: ForkableMap<string> = new ForkableMap(),
  ) {
    this.#ends = ends;
    this.#order = order;
  }

  fork(): EventEnds {
    return new EventEnds(this.#ends.fork(), this.#order.fork());
  }

  set(key: string, end: number): void {
    this.delete(key);
    this.#ends.set(key, end);
    this.#order.set(placeOf(key, end), key);
  }

  delete(key: string): void {
    const end = this.#ends.get(key);
    if (end === undefined) return;
    this.#ends.delete(key);
    this.#order.delete(placeOf(key, end));
  }

  /** The Event that ends first. */
  first(): { readonly key: string; readonly end: number } | undefined {
    const [key] = this.#order.values("", 1);
    const end = key === undefined ? undefined : this.#ends.get(key);
    return key === undefined || end === undefined ? undefined : { key, end };
  }
}

/** Sorts by the end: times as text of one length. No Event of this century or the next ones has a negative one. */
function placeOf(key: string, end: number): string {
  return `${String(Math.max(0, end)).padStart(16, "0")}/${key}`;
}
