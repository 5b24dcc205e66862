import type { CelValue } from "../values/value.ts";
import {
  accumulatorName,
  type Call,
  type Comprehension,
  type Expression,
  type Identifier,
  type ListLiteral,
  type Literal,
  type Select,
} from "./expression.ts";

/** What a macro makes from its arguments; undefined if it does not apply. Throws a MacroError. */
export type MacroExpansion = (
  build: ExpressionBuilder,
  target: Expression | undefined,
  args: readonly Expression[],
) => Expression | undefined;

/** A call that the parser replaces. */
export interface Macro {
  readonly name: string;
  readonly argumentCount: number | "any";
  readonly isMember: boolean;
  readonly expand: MacroExpansion;
}

/** The arguments of a macro are not what it expects. */
export class MacroError extends Error {
  readonly node: Expression;

  constructor(node: Expression, message: string) {
    super(message);
    this.node = node;
  }
}

/** The parts of a comprehension that macros give; the rest is the same for all of them. */
export type ComprehensionParts = Omit<Comprehension, "id" | "kind" | "accumulator" | "secondVariable"> & {
  readonly accumulator?: string;
  readonly secondVariable?: string | undefined;
};

/** Makes the nodes of an expression, with their offsets. The nodes of a macro are at the place of its call. */
export class ExpressionBuilder {
  /** The offset of each node in the source, by id. Ids count from 1. */
  readonly offsets: number[] = [0];
  #offset = 0;

  /** Makes the id of a node at an offset. */
  id(offset: number): number {
    this.offsets.push(offset);
    return this.offsets.length - 1;
  }

  /** Expands a macro whose nodes are at the offset. */
  expandAt<T>(offset: number, expand: () => T): T {
    const outer = this.#offset;
    this.#offset = offset;
    try {
      return expand();
    } finally {
      this.#offset = outer;
    }
  }

  literal(value: CelValue): Literal {
    return { kind: "literal", id: this.id(this.#offset), value };
  }

  identifier(name: string): Identifier {
    return { kind: "identifier", id: this.id(this.#offset), name };
  }

  accumulator(): Identifier {
    return this.identifier(accumulatorName);
  }

  list(...elements: readonly Expression[]): ListLiteral {
    return { kind: "list", id: this.id(this.#offset), elements, optional: new Set() };
  }

  emptyMap(): Expression {
    return { kind: "map", id: this.id(this.#offset), entries: [] };
  }

  call(name: string, ...args: readonly Expression[]): Call {
    return { kind: "call", id: this.id(this.#offset), function: name, target: undefined, arguments: args };
  }

  memberCall(name: string, target: Expression, ...args: readonly Expression[]): Call {
    return { kind: "call", id: this.id(this.#offset), function: name, target, arguments: args };
  }

  presenceTest(operand: Expression, field: string): Select {
    return { kind: "select", id: this.id(this.#offset), operand, field, testOnly: true };
  }

  comprehension(parts: ComprehensionParts): Comprehension {
    return {
      kind: "comprehension",
      id: this.id(this.#offset),
      accumulator: accumulatorName,
      secondVariable: undefined,
      ...parts,
    };
  }

  /** A copy with ids of its own, so that the checker may see it in another place. */
  copy(node: Expression): Expression {
    const id = this.id(this.offsets[node.id] ?? 0);
    const entry = <T extends { readonly id: number; readonly value: Expression }>(item: T): T => ({
      ...item,
      id: this.id(this.offsets[item.id] ?? 0),
      value: this.copy(item.value),
    });
    switch (node.kind) {
      case "literal":
      case "identifier":
        return { ...node, id };
      case "select":
        return { ...node, id, operand: this.copy(node.operand) };
      case "call": {
        const target = node.target && this.copy(node.target);
        return { ...node, id, target, arguments: node.arguments.map((item) => this.copy(item)) };
      }
      case "list":
        return { ...node, id, elements: node.elements.map((item) => this.copy(item)) };
      case "map":
        return {
          ...node,
          id,
          entries: node.entries.map((item) => ({ ...entry(item), key: this.copy(item.key) })),
        };
      case "struct":
        return { ...node, id, fields: node.fields.map(entry) };
      case "comprehension":
        return {
          ...node,
          id,
          range: this.copy(node.range),
          initial: this.copy(node.initial),
          condition: this.copy(node.condition),
          step: this.copy(node.step),
          result: this.copy(node.result),
        };
    }
  }
}
