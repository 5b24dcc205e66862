import { emptySet, type FieldSet, type MutableFieldSet, sorted } from "./field-set.ts";
import { type PathElement, SELF } from "./path-element.ts";

/** Collects what is below one element of a set. Fields of a structure come with their rank and need no sorting. */
export class NodeBuilder {
  readonly #elements: PathElement[] = [];
  readonly #nodes: FieldSet[] = [];
  readonly #ranks: number[] = [];
  #needsSort = false;

  /** Adds an element that was not added before. */
  add(element: PathElement, node: FieldSet, rank?: number): void {
    let at = this.#elements.length;
    if (rank === undefined) this.#needsSort = true;
    else while (at > 0 && (this.#ranks[at - 1] as number) > rank) at--;
    if (at === this.#elements.length) {
      this.#elements.push(element);
      this.#nodes.push(node);
      this.#ranks.push(rank ?? 0);
      return;
    }
    this.#elements.splice(at, 0, element);
    this.#nodes.splice(at, 0, node);
    this.#ranks.splice(at, 0, rank ?? 0);
  }

  /** The node, with the container itself if it is in the set; undefined if that leaves nothing. */
  build(self: "member" | "container"): FieldSet | undefined {
    const elements = this.#elements;
    if (elements.length === 0) return self === "member" ? emptySet : undefined;
    const node: MutableFieldSet = self === "member" ? { [SELF]: emptySet } : {};
    for (let i = 0; i < elements.length; i++) node[elements[i] as PathElement] = this.#nodes[i] as FieldSet;
    return this.#needsSort ? sorted(node) : node;
  }
}
