import type { Clock } from "../../apimachinery/clock.ts";
import type { JsonObject } from "../../apimachinery/json.ts";

/** Our limit for all of the specs and reasons of answers in characters. */
const mostCharacters = 16 * 1024 * 1024;

interface Known {
  readonly status: JsonObject;
  readonly size: number;
  readonly expires: number;
}

/** Remembers the answers of a webhook by the spec of the review, by the clock of the cluster. The least recently used go first. */
export class DecisionCache {
  readonly #clock: Clock;
  readonly #capacity: number;
  readonly #known = new Map<string, Known>();
  #size = 0;

  /** `capacity` is the most answers that it remembers. */
  constructor(clock: Clock, capacity: number) {
    this.#clock = clock;
    this.#capacity = capacity;
  }

  get(spec: string): JsonObject | undefined {
    const found = this.#known.get(spec);
    if (found === undefined) return undefined;
    this.#forget(spec, found);
    if (this.#clock.now() > found.expires) return undefined;
    this.#keep(spec, found);
    return found.status;
  }

  set(spec: string, status: JsonObject, milliseconds: number): void {
    const before = this.#known.get(spec);
    if (before !== undefined) this.#forget(spec, before);
    const size = spec.length + JSON.stringify(status).length;
    this.#keep(spec, { status, size, expires: this.#clock.now() + milliseconds });
    for (const [oldest, known] of this.#known) {
      if (this.#known.size <= this.#capacity && this.#size <= mostCharacters) break;
      this.#forget(oldest, known);
    }
  }

  #keep(spec: string, known: Known): void {
    this.#known.set(spec, known);
    this.#size += known.size;
  }

  #forget(spec: string, { size }: Known): void {
    this.#known.delete(spec);
    this.#size -= size;
  }
}
