import type { Expression } from "../syntax/expression.ts";
import type { CelType } from "../types/cel-type.ts";

/** A range of costs or of sizes: numbers of characters, bytes, elements or entries. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

/** An operand of a call whose cost is estimated. */
export interface EstimatedNode {
  readonly expression: Expression;
  readonly type: CelType;
  /** The size of its value, as far as it is known. */
  readonly size: Range;
  /** What a list or a map consists of; undefined for other values. */
  readonly element: { readonly type: CelType; readonly size: Range } | undefined;
}

/** The cost of a call without its arguments, and the size of its result if it has one. */
export interface CallEstimate {
  readonly cost: Range;
  readonly resultSize?: Range | undefined;
}

/** Estimates a call; the receiver is the first operand. */
export type CallEstimator = (operands: readonly EstimatedNode[]) => CallEstimate;

/** The size of a value of which nothing is known. The largest number stands for 2^64 - 1 and absorbs sums. */
export const unknownSize: Range = { min: 0, max: Number.POSITIVE_INFINITY };

export function fixed(value: number): Range {
  return { min: value, max: value };
}

export function add(a: Range, b: Range): Range {
  return { min: a.min + b.min, max: a.max + b.max };
}

export function multiply(a: Range, b: Range): Range {
  return { min: product(a.min, b.min), max: product(a.max, b.max) };
}

/** Multiplies by a factor and rounds up. */
export function scale({ min, max }: Range, factor: number): Range {
  return { min: Math.ceil(min * factor), max: Math.ceil(max * factor) };
}

export function union(a: Range, b: Range): Range {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

/** Nothing times infinity is nothing. */
function product(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : a * b;
}
