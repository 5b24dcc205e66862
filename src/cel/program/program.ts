import type { CheckedExpression } from "../checker/checked-expression.ts";
import { costLimitExceeded, isError } from "../values/cel-error.ts";
import type { CelValue } from "../values/value.ts";
import { compileChecked } from "./compile.ts";
import { InstantiationError } from "./compiler-context.ts";
import { CostLimitExceeded, Frame } from "./frame.ts";

/** The value of a variable that an expression uses; undefined if it has none. Upstream: cel-go, interpreter.Activation, ResolveName. */
export type ResolveName = (variable: string) => CelValue | undefined;

/** The values of variables by name, or the function that knows them. A getter is called if the expression uses its variable. */
export type Activation = ResolveName | { readonly [variable: string]: CelValue | undefined };

/** What an evaluation yields: a value, or the text of an error. */
export type Outcome = { readonly cost: number } & (
  | { readonly value: CelValue; readonly error?: never }
  | { readonly error: string; readonly value?: never }
);

/** An expression that is ready to run. */
export interface Program {
  /** Evaluates the expression; `limit` is the cost beyond which the evaluation ends. */
  evaluate(activation: Activation, limit?: number): Outcome;
}

/** The cost that Kubernetes grants one expression (apiserver, pkg/apis/cel/config.go). */
export const perCallLimit = 1_000_000;

/** Makes a checked expression runnable; the error of a part that cannot succeed. */
export function programOf(checked: CheckedExpression): Program | { readonly instantiationError: string } {
  try {
    const { run, variables, slotCount } = compileChecked(checked);
    const names = [...variables];
    return {
      evaluate: (activation, limit = perCallLimit) => {
        const slots = new Array<CelValue | undefined>(slotCount).fill(undefined);
        for (const [name, slot] of names) slots[slot] = resolved(activation, name);
        const frame = new Frame(slots, limit);
        try {
          const value = run(frame);
          if (frame.cost > limit) throw new CostLimitExceeded();
          return isError(value) ? { error: value.message, cost: frame.cost } : { value, cost: frame.cost };
        } catch (error) {
          if (!(error instanceof CostLimitExceeded)) throw error;
          return { error: costLimitExceeded.message, cost: frame.cost };
        }
      },
    };
  } catch (error) {
    if (error instanceof InstantiationError) return { instantiationError: error.message };
    throw error;
  }
}

function resolved(activation: Activation, name: string): CelValue | undefined {
  if (typeof activation === "function") return activation(name);
  return Object.hasOwn(activation, name) ? activation[name] : undefined;
}
