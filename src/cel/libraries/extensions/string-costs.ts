import type { OverloadExtras } from "../../environment/declare.ts";
import { add, type EstimatedNode, fixed, multiply, type Range, scale } from "../../environment/estimates.ts";
import { sizeAt, traversal } from "../costs.ts";
import { costSize } from "../sizes.ts";

/** The costs that Kubernetes gives functions of texts (apiserver, pkg/cel/library/cost.go). */
export const joining: OverloadExtras = {
  cost: (_args, result) => Math.ceil(costSize(result) * 2 * traversal),
  estimate: (operands) => {
    const list = sizeAt(operands, 0);
    const elements = multiply(list, operands[0]?.element?.size ?? fixed(0));
    const separators = { min: Math.max(0, list.min - 1), max: Math.max(0, list.max - 1) };
    const size = operands.length > 1 ? add(elements, multiply(sizeAt(operands, 1), separators)) : elements;
    return { cost: scale(size, traversal), resultSize: size };
  },
};

export const replacing: OverloadExtras = {
  cost: ([text]) => Math.ceil(costSize(text) * 2 * traversal),
  estimate: (operands) => ({
    cost: scale(sizeAt(operands, 0), 2 * traversal),
    resultSize: replacedSize(operands),
  }),
};

export const splitting: OverloadExtras = {
  cost: ([text]) => Math.ceil(costSize(text) * 2 * traversal),
  estimate: (operands) => {
    const limit = operands[2]?.expression;
    const isLimited = limit?.kind === "literal" && typeof limit.value === "number" && limit.value >= 0;
    const max = isLimited ? Number(limit.value) : sizeAt(operands, 0).max;
    return { cost: scale(sizeAt(operands, 0), 2 * traversal), resultSize: { min: 0, max } };
  },
};

/** The text with as many replacements as fit, or as few. */
function replacedSize(operands: readonly EstimatedNode[]): Range {
  const [text, old, replacement] = [sizeAt(operands, 0), sizeAt(operands, 1), sizeAt(operands, 2)];
  let most: Range = { min: Math.ceil(text.max / old.min), max: 0 };
  if (old.min === 0) most = { min: text.max + 1, max: text.max };
  else if (replacement.max <= old.min) most = { min: 0, max: text.max };
  let fewest: Range = { min: Math.ceil(text.min / old.max), max: 0 };
  if (old.max === 0) fewest = { min: text.min + 1, max: text.min };
  else if (old.max <= replacement.min) fewest = { min: 0, max: text.min };
  const count = { min: fewest.min, max: most.min };
  return add(multiply(count, replacement), { min: fewest.max, max: most.max });
}
