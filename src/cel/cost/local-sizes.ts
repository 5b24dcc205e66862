import type { Range } from "../environment/estimates.ts";
import type { EntrySizes, PathElement } from "./sizes.ts";

/** What is known of a variable that a comprehension declares. */
export interface LocalVariable {
  readonly name: string;
  readonly path: readonly PathElement[];
  readonly size: Range | undefined;
  readonly entries: EntrySizes | undefined;
}

/** The variables of the comprehensions around a node, innermost last. */
export class LocalSizes {
  readonly #variables: LocalVariable[] = [];

  get(name: string): LocalVariable | undefined {
    return this.#variables.findLast((variable) => variable.name === name);
  }

  within<T>(variables: readonly LocalVariable[], use: () => T): T {
    const depth = this.#variables.length;
    this.#variables.push(...variables);
    try {
      return use();
    } finally {
      this.#variables.length = depth;
    }
  }
}
