import { emptySet, type FieldSet } from "./field-set.ts";
import type { PathElement } from "./path-element.ts";

/** At this many steps the cache is cleared: most steps belong to objects that occurred once. */
const maxSteps = 20_000;
/** An element counts as another step for each of these characters, so that long keys of clients do not fill the heap. */
const charactersOfStep = 256;

/** A step in the trie of known nodes. Its path is the sequence of a node's elements and their child nodes. */
export class Place {
  /** The node with exactly these elements. */
  node: FieldSet | undefined;
  /** The next steps, by element. If an element has children, its child node comes before it. */
  readonly next: Map<PathElement | FieldSet, Place> = new Map();
}

/**
 * A cache of nodes. Objects made from one template own the same fields, so their nodes are built once and are identical
 * objects, which makes comparisons fast.
 */
export class KnownNodes {
  #start = new Place();
  #steps = 0;

  /** The place of the node with these elements and their child nodes. */
  placeOf(elements: readonly PathElement[], nodes: readonly FieldSet[]): Place {
    if (this.#steps > maxSteps) {
      this.#start = new Place();
      this.#steps = 0;
    }
    let place = this.#start;
    for (let i = 0; i < elements.length; i++) {
      const node = nodes[i] as FieldSet;
      if (node !== emptySet) place = this.#step(place, node);
      place = this.#step(place, elements[i] as PathElement);
    }
    return place;
  }

  #step(place: Place, to: PathElement | FieldSet): Place {
    const known = place.next.get(to);
    if (known !== undefined) return known;
    const opened = new Place();
    place.next.set(to, opened);
    this.#steps += 1;
    if (typeof to === "string") this.#steps += Math.floor(to.length / charactersOfStep);
    return opened;
  }
}
