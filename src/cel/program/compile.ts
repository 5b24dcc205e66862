import type { CheckedExpression } from "../checker/checked-expression.ts";
import type { Expression } from "../syntax/expression.ts";
import { compileAttribute, isQualified } from "./attributes.ts";
import { compileCall } from "./calls.ts";
import type { CompilerContext } from "./compiler-context.ts";
import { compileComprehension } from "./comprehensions.ts";
import { compileList, compileMap, compileStruct } from "./constructors.ts";
import { type Code, constantCode, type Evaluate } from "./frame.ts";
import { compileLazy } from "./logic.ts";

/** A compiled expression, and the slots that its variables take. */
export interface CompiledCode {
  readonly run: Evaluate;
  /** The slots of the variables of the environment that the expression uses. */
  readonly variables: ReadonlyMap<string, number>;
  /** The number of slots, those of local variables included. */
  readonly slotCount: number;
}

/** Compiles an expression to closures. Throws an InstantiationError. */
export function compileChecked(checked: CheckedExpression): CompiledCode {
  const compiler = new Compiler(checked);
  const { run } = compiler.compile(checked.root);
  return { run, variables: compiler.variables, slotCount: compiler.slotCount };
}

interface Local {
  readonly name: string;
  readonly slot: number;
  readonly initialize: Evaluate | undefined;
}

class Compiler implements CompilerContext {
  readonly checked: CheckedExpression;
  readonly variables: Map<string, number> = new Map();
  readonly #locals: Local[] = [];
  slotCount = 0;

  constructor(checked: CheckedExpression) {
    this.checked = checked;
  }

  compile(node: Expression): Code {
    switch (node.kind) {
      case "literal":
        return constantCode(node.value);
      case "identifier":
      case "select":
        return compileAttribute(this, node);
      case "call":
        if (isQualified(node)) return compileAttribute(this, node);
        return compileLazy(this, node) ?? compileCall(this, node);
      case "list":
        return compileList(this, node);
      case "map":
        return compileMap(this, node);
      case "struct":
        return compileStruct(this, node);
      case "comprehension":
        return compileComprehension(this, node);
    }
  }

  slotOf(name: string): number {
    // The checker marks variables of the environment with a dot.
    if (!name.startsWith(".")) return this.#local(name).slot;
    const variable = name.slice(1);
    const known = this.variables.get(variable);
    if (known !== undefined) return known;
    this.variables.set(variable, this.slotCount);
    return this.slotCount++;
  }

  initializerOf(name: string): Evaluate | undefined {
    return name.startsWith(".") ? undefined : this.#local(name).initialize;
  }

  withLocals<T>(names: readonly string[], use: (slots: readonly number[]) => T, initialize?: Evaluate): T {
    const depth = this.#locals.length;
    const slots = names.map((name) => {
      this.#locals.push({ name, slot: this.slotCount, initialize });
      return this.slotCount++;
    });
    try {
      return use(slots);
    } finally {
      this.#locals.length = depth;
    }
  }

  #local(name: string): Local {
    const local = this.#locals.findLast((known) => known.name === name);
    if (local === undefined) throw new Error(`${name} is not a local variable`);
    return local;
  }
}
