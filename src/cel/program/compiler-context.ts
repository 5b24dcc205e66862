import type { CheckedExpression } from "../checker/checked-expression.ts";
import type { Expression } from "../syntax/expression.ts";
import type { CelError } from "../values/cel-error.ts";
import type { Code, Evaluate } from "./frame.ts";

/** A part of the expression that has no arguments from outside fails whenever it runs. */
export class InstantiationError extends Error {
  constructor(error: CelError) {
    super(error.message);
  }
}

/** What the compilation of a kind of nodes needs from the rest. */
export interface CompilerContext {
  readonly checked: CheckedExpression;
  compile(node: Expression): Code;
  /** The slot of a variable, as the checker refers to it. */
  slotOf(name: string): number;
  /** How a variable that is bound to an expression gets its value when it is first read. */
  initializerOf(name: string): Evaluate | undefined;
  /** Gives local variables slots while `use` compiles their scope. */
  withLocals<T>(names: readonly string[], use: (slots: readonly number[]) => T, initialize?: Evaluate): T;
}
