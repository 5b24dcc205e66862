import type { CallCost } from "../environment/declarations.ts";
import {
  add,
  type CallEstimate,
  type CallEstimator,
  type EstimatedNode,
  fixed,
  multiply,
  type Range,
  scale,
  unknownSize,
} from "../environment/estimates.ts";
import { costSize } from "./sizes.ts";

/** The factors of cel-go (common/cost.go): what one character costs to read, and one of a regular expression. */
export const traversal = 0.1;
export const regexLength = 0.25;

/** The size of an operand before the run. */
export function sizeAt(operands: readonly EstimatedNode[], index: number): Range {
  return operands[index]?.size ?? unknownSize;
}

/** Reading the operand at an index once, with a factor. */
export function traversing(
  index: number,
  factor: number = traversal,
): { cost: CallCost; estimate: CallEstimator } {
  return {
    cost: (args) => Math.ceil(costSize(args[index]) * factor),
    estimate: (operands) => ({ cost: scale(sizeAt(operands, index), factor) }),
  };
}

/** Comparing two values: as long as the shorter one. */
export const equalityCost: CallCost = ([a, b]) => Math.ceil(Math.min(costSize(a), costSize(b)) * traversal);

export const equalityEstimate: CallEstimator = (operands) => {
  const max = Math.min(sizeAt(operands, 0).max, sizeAt(operands, 1).max);
  return { cost: scale({ min: max > 0 ? 1 : 0, max }, traversal) };
};

/** Matching a text against a regular expression: the product of their lengths. */
export const matchCost: CallCost = ([text, pattern]) =>
  Math.ceil((1 + costSize(text)) * traversal) * Math.ceil(costSize(pattern) * regexLength);

export const matchEstimate: CallEstimator = (operands) => ({
  cost: multiply(
    scale(add(sizeAt(operands, 0), fixed(1)), traversal),
    scale(sizeAt(operands, 1), regexLength),
  ),
});

/** The same estimate, with the size of the result. */
export function resulting(
  estimate: CallEstimator,
  resultSize: (operands: readonly EstimatedNode[]) => Range,
): CallEstimator {
  return (operands): CallEstimate => ({ ...estimate(operands), resultSize: resultSize(operands) });
}
