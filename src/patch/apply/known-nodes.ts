import { emptySet, type FieldSet } from "./field-set.ts";
import type { PathElement } from "./path-element.ts";

/** When so many steps are remembered all are forgotten: most of them were of objects that came once. */
const mostSteps = 20_000;

/** Where the elements of a node and what is below them lead to, one after the other. */
export class Place {
  /** The node of just these elements. */
  node: FieldSet | undefined;
  /** By the next element; before one that holds something comes what it holds. */
  readonly next: Map<PathElement | FieldSet, Place> = new Map();
}

/**
 * Nodes that were built before. Objects made from one template own the same fields, so their nodes are built once and
 * are identical objects, which makes comparisons fast.
 */
export class KnownNodes {
  #start = new Place();
  #steps = 0;

  /** The place of the node with these elements and what is below each of them. */
  placeOf(elements: readonly PathElement[], nodes: readonly FieldSet[]): Place {
    if (this.#steps > mostSteps) {
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
    return opened;
  }
}
