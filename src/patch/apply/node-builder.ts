import { emptySet, type FieldSet, type MutableFieldSet, sorted } from "./field-set.ts";
import { KnownNodes } from "./known-nodes.ts";
import { type PathElement, SELF } from "./path-element.ts";

/** Nodes with more elements belong to lists and maps that are hardly ever the same. */
const largestKnown = 64;

const containers = new KnownNodes();
const members = new KnownNodes();

/** Whether a container is in the set itself, beside what it holds: in any case, not, or if there is something it holds. */
export type Self = "member" | "container" | "holder";

/** Collects what is below one element of a set. Fields of a structure come with their rank and need no sorting. */
export class NodeBuilder {
  readonly #elements: PathElement[] = [];
  readonly #nodes: FieldSet[] = [];
  readonly #ranks: number[] = [];
  #needsSort = false;

  /** Adds an element that was not added before, and has no rank. */
  add(element: PathElement, node: FieldSet): void {
    this.#needsSort = true;
    this.addRanked(element, node, 0);
  }

  /** Adds a field in its place. */
  addRanked(element: PathElement, node: FieldSet, rank: number): void {
    const elements = this.#elements;
    const nodes = this.#nodes;
    const ranks = this.#ranks;
    let at = elements.length;
    // A few steps at most: structures have few fields that are set, and those come sorted in part.
    for (; at > 0 && (ranks[at - 1] as number) > rank; at--) {
      elements[at] = elements[at - 1] as PathElement;
      nodes[at] = nodes[at - 1] as FieldSet;
      ranks[at] = ranks[at - 1] as number;
    }
    elements[at] = element;
    nodes[at] = node;
    ranks[at] = rank;
  }

  /** The node; undefined if nothing is in it. */
  build(self: Self): FieldSet | undefined {
    const { length } = this.#elements;
    if (length === 0) return self === "member" ? emptySet : undefined;
    if (length > largestKnown) return this.#make(self);
    const known = self === "container" ? containers : members;
    const place = known.placeOf(this.#elements, this.#nodes);
    place.node ??= Object.freeze(this.#make(self));
    return place.node;
  }

  #make(self: Self): FieldSet {
    const node: MutableFieldSet = self === "container" ? {} : { [SELF]: emptySet };
    for (const [i, element] of this.#elements.entries()) node[element] = this.#nodes[i] as FieldSet;
    return this.#needsSort ? sorted(node) : node;
  }
}
