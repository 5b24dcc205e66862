import type { CelType } from "../types/cel-type.ts";

/** The variables that comprehensions declare, innermost last. */
export class Scope {
  readonly #variables: (readonly [name: string, type: CelType])[] = [];

  get(name: string): CelType | undefined {
    return this.#variables.findLast(([own]) => own === name)?.[1];
  }

  has(name: string): boolean {
    return this.#variables.some(([own]) => own === name);
  }

  /** Declares variables while `use` runs. */
  within<T>(variables: readonly (readonly [name: string, type: CelType])[], use: () => T): T {
    const depth = this.#variables.length;
    this.#variables.push(...variables);
    try {
      return use();
    } finally {
      this.#variables.length = depth;
    }
  }
}
