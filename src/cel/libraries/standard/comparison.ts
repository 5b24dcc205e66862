import type { FunctionDeclaration, Implementation, Overload } from "../../environment/declarations.ts";
import { A, declare, global } from "../../environment/declare.ts";
import { operators } from "../../syntax/operators.ts";
import { type CelType, types } from "../../types/cel-type.ts";
import { isError } from "../../values/cel-error.ts";
import { equalValues } from "../../values/equality.ts";
import { compareValues } from "../../values/order.ts";
import { equalityCost, equalityEstimate } from "../costs.ts";

/** The names of the types in cel-go's overload ids. */
const numbers: readonly (readonly [id: string, type: CelType])[] = [
  ["int64", types.int],
  ["uint64", types.uint],
  ["double", types.double],
];

const ordered: readonly (readonly [id: string, type: CelType])[] = [
  ["bool", types.bool],
  ...numbers,
  ["string", types.string],
  ["bytes", types.bytes],
  ["timestamp", types.timestamp],
  ["duration", types.duration],
];

const equality = { cost: equalityCost, estimate: equalityEstimate };

/** The operators == and !=, and those of order for operands of one type. */
export const comparison: readonly FunctionDeclaration[] = [
  declare(
    operators.equals,
    global("equals", [A, A], types.bool, (a = null, b = null) => equalValues(a, b), equality),
  ),
  declare(
    operators.notEquals,
    global("not_equals", [A, A], types.bool, (a = null, b = null) => !equalValues(a, b), equality),
  ),
  ...orders((name, call) =>
    ordered.map(([id, type]) => {
      const isText = type === types.string || type === types.bytes;
      return global(`${name}_${id}`, [type, type], types.bool, call, isText ? equality : {});
    }),
  ),
];

/** The operators of order for two numbers of different types. */
export const crossTypeComparison: readonly FunctionDeclaration[] = orders((name, call) =>
  numbers.flatMap(([left, a]) =>
    numbers
      .filter(([right]) => right !== left)
      .map(([right, b]) => global(`${name}_${left}_${right}`, [a, b], types.bool, call)),
  ),
);

function orders(
  overloads: (name: string, call: Implementation) => readonly Overload[],
): readonly FunctionDeclaration[] {
  return [
    declare(
      operators.less,
      ...overloads(
        "less",
        comparing((order) => order < 0),
      ),
    ),
    declare(
      operators.lessEquals,
      ...overloads(
        "less_equals",
        comparing((order) => order <= 0),
      ),
    ),
    declare(
      operators.greater,
      ...overloads(
        "greater",
        comparing((order) => order > 0),
      ),
    ),
    declare(
      operators.greaterEquals,
      ...overloads(
        "greater_equals",
        comparing((order) => order >= 0),
      ),
    ),
  ];
}

function comparing(holds: (order: number) => boolean): Implementation {
  return (a = null, b = null) => {
    const order = compareValues(a, b);
    return isError(order) ? order : holds(order);
  };
}
