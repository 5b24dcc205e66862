import { emptySet, type FieldSet, type MutableFieldSet, sorted } from "./field-set.ts";
import { KnownNodes } from "./known-nodes.ts";
import { type PathElement, SELF } from "./path-element.ts";

/** Larger nodes belong to lists and maps, which are hardly ever equal. */
const maxKnownLength = 64;

const containers = new KnownNodes();
const members = new KnownNodes();

/** Whether a container is in the set besides its contents: always, never, or only if it has contents. */
export type Self = "member" | "container" | "holder";

/** Builds the node of one element. Fields of a structure are added with their rank and need no sorting. */
export class NodeBuilder {
  readonly #elements: PathElement[] = [];
  readonly #nodes: FieldSet[] = [];
  readonly #ranks: number[] = [];
  #needsSort = false;

  /** Adds a new element without a rank. */
  add(element: PathElement, node: FieldSet): void {
    this.#needsSort = true;
    this.addRanked(element, node, 0);
  }

  /** Adds a field at the position of its rank. */
  addRanked(element: PathElement, node: FieldSet, rank: number): void {
    const elements = this.#elements;
    const nodes = this.#nodes;
    const ranks = this.#ranks;
    let at = elements.length;
    // The loop is short: objects set few fields of a structure, and these are partly sorted.
    for (; at > 0 && (ranks[at - 1] as number) > rank; at--) {
      elements[at] = elements[at - 1] as PathElement;
      nodes[at] = nodes[at - 1] as FieldSet;
      ranks[at] = ranks[at - 1] as number;
    }
    elements[at] = element;
    nodes[at] = node;
    ranks[at] = rank;
  }

  /** The node; undefined if it is empty and not a member. */
  build(self: Self): FieldSet | undefined {
    const { length } = this.#elements;
    if (length === 0) return self === "member" ? emptySet : undefined;
    if (length > maxKnownLength) return this.#make(self);
    const known = self === "container" ? containers : members;
    const place = known.placeOf(this.#elements, this.#nodes);
    place.node ??= Object.freeze(this.#make(self));
    return place.node;
  }

  #make(self: Self): FieldSet {
    const node: MutableFieldSet = self === "container" ? {} : { [SELF]: emptySet };
    this.#elements.forEach((element, i) => {
      node[element] = this.#nodes[i] as FieldSet;
    });
    return this.#needsSort ? sorted(node) : node;
  }
}
