import { perCallLimit, type ResolveName } from "../../cel/program/program.ts";
import { celError } from "../../cel/values/cel-error.ts";
import type { CelValue, PlainObject } from "../../cel/values/value.ts";
import {
  activationOf,
  activationWithoutAuthorizer,
  type FurtherVariables,
  type RequestVariables,
} from "../expressions/activation.ts";
import type { PolicyExpression, PolicyVariable } from "./policy-compiler.ts";

/** The cost that the expressions of one kind in a policy have together (apiserver, pkg/apis/cel/config.go, RuntimeCELCostBudget). */
export const costBudget = 10_000_000;

/** The value of an expression, or why it has none. */
export type Evaluation =
  | { readonly value: CelValue; readonly cost: number; readonly error?: never }
  | { readonly error: string; readonly cost: number; readonly value?: never };

/** The expressions of a policy have used up their budget, so that none of their results counts. */
export class OutOfBudget extends Error {
  constructor() {
    super("validation failed due to running out of cost budget, no further validation rules will be run");
  }
}

/** What the expressions of a run have in common. */
export interface RunInput {
  readonly shared: RequestVariables;
  readonly further: FurtherVariables;
  readonly variables: readonly PolicyVariable[];
}

/**
 * Evaluates expressions one after the other. They share a budget, and the values of the policy's variables, each of which is evaluated
 * when an expression first uses it. Upstream: apiserver, pkg/admission/plugin/cel/activation.go, Evaluate, and composition.go.
 */
export class ExpressionRun {
  readonly activation: ResolveName;
  #remaining: number;
  /** What variables have cost since the last expression. */
  #costOfVariables = 0;

  constructor(
    { shared, further, variables }: RunInput,
    access: "with authorizer" | "without authorizer",
    budget: number,
  ) {
    const all = variables.length === 0 ? further : { ...further, variables: this.#lazy(variables) };
    this.activation =
      access === "with authorizer" ? activationOf(shared, all) : activationWithoutAuthorizer(shared, all);
    this.#remaining = budget;
  }

  /** The part of the budget that is left. */
  get remaining(): number {
    return this.#remaining;
  }

  /** @throws {OutOfBudget} */
  evaluate({ expression, program }: PolicyExpression): Evaluation {
    if ("problem" in program) return { error: `compilation error: ${program.problem}`, cost: 0 };
    const { cost, value, error } = program.evaluate(this.activation, perCallLimit);
    const spent = this.#costOfVariables + cost;
    this.#remaining -= spent;
    this.#costOfVariables = 0;
    if (this.#remaining < 0) throw new OutOfBudget();
    if (error === undefined) return { value, cost: spent };
    return { error: `expression '${expression}' resulted in error: ${error}`, cost: spent };
  }

  /** The value of `variables`: an object whose fields are evaluated when they are read. */
  #lazy(variables: readonly PolicyVariable[]): PlainObject {
    const fields: PlainObject = {};
    for (const variable of variables) {
      const get = () => {
        const value = this.#valueOf(variable);
        Object.defineProperty(fields, variable.name, { value, enumerable: true });
        return value;
      };
      Object.defineProperty(fields, variable.name, { get, enumerable: true, configurable: true });
    }
    return fields;
  }

  #valueOf({ name, program }: PolicyVariable): CelValue {
    const subject = `composited variable "${name}"`;
    if ("problem" in program) return celError(`${subject} fails to compile: ${program.problem}`);
    const { cost, value, error } = program.evaluate(this.activation, perCallLimit);
    this.#costOfVariables += cost;
    return error === undefined ? value : celError(`${subject} fails to evaluate: ${error}`);
  }
}
