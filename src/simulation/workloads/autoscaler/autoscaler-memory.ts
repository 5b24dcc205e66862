import type { Memory } from "../../../controllers/controller-memory.ts";
import { ForkableMap } from "../../../store/forkable-map.ts";

/** A number of replicas, and when it was recommended. */
export interface Recommendation {
  readonly replicas: number;
  /** In milliseconds since the epoch. */
  readonly time: number;
}

/** By how many replicas a target was scaled, and when. */
export interface ScaleEvent {
  readonly change: number;
  readonly time: number;
}

/** What the controller remembers of an autoscaler. */
export interface AutoscalerHistory {
  /** When it is looked at next, in milliseconds since the epoch. */
  readonly due: number;
  /** The selector of the target's pods, as text; undefined before the first look. */
  readonly selector: string | undefined;
  readonly recommendations: readonly Recommendation[];
  readonly ups: readonly ScaleEvent[];
  readonly downs: readonly ScaleEvent[];
}

/** What the controller remembers of all autoscalers, by `namespace/name`. A fork takes constant time. */
export class AutoscalerMemory implements Memory {
  readonly #histories: ForkableMap<AutoscalerHistory & { readonly key: string }>;

  constructor(histories: ForkableMap<AutoscalerHistory & { readonly key: string }> = new ForkableMap()) {
    this.#histories = histories;
  }

  fork(): this {
    // The class has no subclasses.
    return new AutoscalerMemory(this.#histories.fork()) as this;
  }

  get(key: string): AutoscalerHistory | undefined {
    return this.#histories.get(key);
  }

  /** Remembers more of an autoscaler that is known. */
  note(key: string, more: Partial<AutoscalerHistory>): void {
    const known = this.#histories.get(key);
    if (known !== undefined) this.#histories.set(key, { ...known, ...more });
  }

  add(key: string, due: number): void {
    this.#histories.set(key, { key, due, selector: undefined, recommendations: [], ups: [], downs: [] });
  }

  delete(key: string): void {
    this.#histories.delete(key);
  }

  /** The autoscalers of a namespace that have a selector, in the order of their keys. */
  selecting(namespace: string): readonly { readonly key: string; readonly selector: string }[] {
    return this.#histories
      .values(`${namespace}/`)
      .flatMap(({ key, selector }) => (selector === undefined ? [] : [{ key, selector }]));
  }
}

/**
 * The list with one more entry, in place of the last one that is too old to count, so that the list does not grow for ever. Upstream
 * replaces likewise.
 */
export function withEntry<T>(entries: readonly T[], entry: T, isOld: (entry: T) => boolean): readonly T[] {
  const at = entries.findLastIndex(isOld);
  return at < 0 ? [...entries, entry] : entries.with(at, entry);
}
