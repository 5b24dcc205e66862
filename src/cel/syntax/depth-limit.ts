/** The expression is nested too deeply. */
export class TooDeep extends Error {}

/** The rules whose nesting counts; `expression` stands for those that nest only with it. */
export type CountedRule = "expression" | "relation" | "calculation" | "member";

const limit = 250;

/**
 * cel-go's two limits: on the nesting of each rule of the grammar, where a chain of operators nests to the left, and
 * on the depth of the tree.
 */
export class DepthLimit {
  readonly #depths: Record<CountedRule, number> = { expression: 0, relation: 0, calculation: 0, member: 0 };
  readonly #treeDepths: number[] = [];

  enter(rule: CountedRule): void {
    if (++this.#depths[rule] > limit) throw new TooDeep(`expression recursion limit exceeded: ${limit}`);
  }

  depth(rule: CountedRule): number {
    return this.#depths[rule];
  }

  /** Leaves a rule and everything it has entered. */
  leaveTo(rule: CountedRule, depth: number): void {
    this.#depths[rule] = depth;
  }

  /** Records that a node is one level above its children. */
  count(id: number, children: readonly { readonly id: number }[]): void {
    const depth = 1 + this.#deepest(children);
    this.#treeDepths[id] = depth;
    if (depth > limit) throw new TooDeep("max recursion depth exceeded");
  }

  /** Records that a node adds no level to its children. */
  pass(id: number, children: readonly { readonly id: number }[]): void {
    this.#treeDepths[id] = this.#deepest(children);
  }

  #deepest(children: readonly { readonly id: number }[]): number {
    return children.reduce((deepest, { id }) => Math.max(deepest, this.#treeDepths[id] ?? 0), 0);
  }
}
