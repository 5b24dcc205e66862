import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { LabelSelector } from "../../../apimachinery/selectors/label-selector.ts";
import type { ObjectChange } from "../../../controllers/contract/controller.ts";
import type { Memory } from "../../../controllers/controller-memory.ts";
import { ForkableMap } from "../../../store/forkable-map.ts";
import { keyOf } from "../contract/object-key.ts";

interface Entry {
  readonly key: string;
  readonly selector: LabelSelector;
}

/** The selectors of the objects of a kind, by namespace. */
export class SelectorIndex implements Memory {
  readonly #entries: ForkableMap<Entry>;

  constructor(entries: ForkableMap<Entry> = new ForkableMap()) {
    this.#entries = entries;
  }

  fork(): this {
    // The class has no subclasses.
    return new SelectorIndex(this.#entries.fork()) as this;
  }

  /** Takes in a change of an object with a selector. */
  take({ type, object }: ObjectChange, selector: LabelSelector): void {
    const key = keyOf(object);
    if (type === "put") this.#entries.set(key, { key, selector });
    else this.#entries.delete(key);
  }

  /** The keys of the objects that select another one of their namespace. */
  selecting({ metadata: { namespace = "", labels = {} } }: KubeObject): readonly string[] {
    const entries = this.#entries.values(`${namespace}/`);
    return entries.filter(({ selector }) => selector.matches(labels)).map(({ key }) => key);
  }

  /** The keys of the objects that select another one of their namespace, or selected its former state. */
  selectingEither(former: KubeObject | undefined, object: KubeObject): Iterable<string> {
    const now = this.selecting(object);
    if (former === undefined || former.metadata.labels === object.metadata.labels) return now;
    return new Set([...this.selecting(former), ...now]);
  }
}
