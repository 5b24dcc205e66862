import type { Macro } from "../syntax/expression-builder.ts";
import type { CelType } from "../types/cel-type.ts";
import type { CelError } from "../values/cel-error.ts";
import type { CelValue } from "../values/value.ts";
import type { CallEstimator } from "./estimates.ts";

/** The function of one overload. Arguments are never errors unless the overload is not strict. */
export type Implementation = (...args: CelValue[]) => CelValue;

/** What a call costs at run time, given its arguments and result. */
export type CallCost = (args: readonly CelValue[], result: CelValue) => number;

/** One signature of a function. */
export interface Overload {
  /** cel-go's name of it, which costs refer to. */
  readonly id: string;
  /** Whether it is called as a member: the first parameter is the receiver. */
  readonly isMember: boolean;
  readonly parameters: readonly CelType[];
  readonly result: CelType;
  readonly call: Implementation;
  /**
   * Given the arguments that are literals, and undefined for the others, makes the function for this place; an error
   * if no call with these literals can succeed, undefined if they make no difference.
   */
  readonly prepare?:
    | ((literals: readonly (CelValue | undefined)[]) => Implementation | CelError | undefined)
    | undefined;
  /** Whether a call with a literal is the literal that it returns, which costs nothing. */
  readonly isFoldable?: boolean;
  /** The cost at run time; 1 if absent. */
  readonly cost?: CallCost;
  /** The cost before the run, which bounds `cost`; 1 if absent. */
  readonly estimate?: CallEstimator;
}

/** A function, or an operator by its name in cel-go. */
export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
}

/** A named value, such as a type or a constant. */
export interface ConstantDeclaration {
  readonly name: string;
  readonly type: CelType;
  readonly value: CelValue;
}

/** Functions, macros and types that belong together. */
export interface Library {
  readonly functions: readonly FunctionDeclaration[];
  readonly macros?: readonly Macro[];
  readonly constants?: readonly ConstantDeclaration[];
}
