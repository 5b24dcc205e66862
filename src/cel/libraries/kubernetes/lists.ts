import { utf8Length } from "../../../apimachinery/utf8.ts";
import type { CallCost, FunctionDeclaration, Library } from "../../environment/declarations.ts";
import { A, declare, member, type OverloadExtras } from "../../environment/declare.ts";
import { add, type CallEstimator, fixed, multiply, scale } from "../../environment/estimates.ts";
import { type CelType, listType, types } from "../../types/cel-type.ts";
import { celError, isError, noSuchOverload } from "../../values/cel-error.ts";
import { entryOf, isList, isMap, keysOf } from "../../values/containers.ts";
import { equalValues } from "../../values/equality.ts";
import { addInts, uintOperation } from "../../values/int64.ts";
import { Double, double, doubleValue, isInt, Uint } from "../../values/numbers.ts";
import { compareValues } from "../../values/order.ts";
import { Duration, durationOf } from "../../values/times.ts";
import type { CelValue } from "../../values/value.ts";
import { unary } from "../arguments.ts";
import { sizeAt, traversal } from "../costs.ts";
import { isListValue } from "../guards.ts";

const ordered: readonly (readonly [name: string, type: CelType])[] = [
  ["int", types.int],
  ["uint", types.uint],
  ["double", types.double],
  ["bool", types.bool],
  ["duration", types.duration],
  ["timestamp", types.timestamp],
  ["string", types.string],
  ["bytes", types.bytes],
];

const summable: readonly (readonly [name: string, type: CelType, zero: CelValue])[] = [
  ["int", types.int, 0],
  ["uint", types.uint, new Uint(0n)],
  ["double", types.double, new Double(0)],
  ["duration", types.duration, new Duration(0n)],
];

/** The cost of reading everything in a value (apiserver, pkg/cel/library/cost.go). */
const readingAll: CallCost = ([list]) => traversalCost(list ?? null);

const estimateReading: CallEstimator = (operands) => {
  const element = operands[0]?.element;
  if (element === undefined) return { cost: scale(sizeAt(operands, 0), traversal) };
  const isText = element.type.kind === "string" || element.type.kind === "bytes";
  const each = isText ? add(fixed(1), scale(element.size, traversal)) : fixed(1);
  return { cost: multiply(sizeAt(operands, 0), each) };
};

const extras: OverloadExtras = { cost: readingAll, estimate: estimateReading };

/** isSorted, sum, min, max, indexOf and lastIndexOf of lists. */
export const lists: Library = {
  functions: [
    declare(
      "isSorted",
      ...ordered.map(([name, type]) =>
        member(
          `list_${name}_is_sorted_bool`,
          [listType(type)],
          types.bool,
          unary(isListValue, isSorted),
          extras,
        ),
      ),
    ),
    declare(
      "sum",
      ...summable.map(([name, type, zero]) =>
        member(
          `list_${name}_sum_${name}`,
          [listType(type)],
          type,
          unary(isListValue, (list) => sum(list, zero)),
          extras,
        ),
      ),
    ),
    extreme("max", (order) => order < 0),
    extreme("min", (order) => order > 0),
    declare(
      "indexOf",
      member(
        "list_a_index_of_int",
        [listType(A), A],
        types.int,
        (list = null, item = null) =>
          isList(list) ? list.findIndex((element) => equalValues(element, item)) : noSuchOverload,
        extras,
      ),
    ),
    declare(
      "lastIndexOf",
      member(
        "list_a_last_index_of_int",
        [listType(A), A],
        types.int,
        (list = null, item = null) =>
          isList(list) ? list.findLastIndex((element) => equalValues(element, item)) : noSuchOverload,
        extras,
      ),
    ),
  ],
};

function extreme(name: "min" | "max", isBetter: (order: number) => boolean): FunctionDeclaration {
  const find = (list: readonly CelValue[]): CelValue => {
    let [best] = list;
    if (best === undefined) return celError(`${name} called on empty list`);
    for (const item of list) {
      const order = compareValues(best, item);
      if (isError(order)) return order;
      if (isBetter(order)) best = item;
    }
    return best;
  };
  return declare(
    name,
    ...ordered.map(([type, element]) =>
      member(`list_${type}_${name}_${type}`, [listType(element)], element, unary(isListValue, find), extras),
    ),
  );
}

function isSorted(list: readonly CelValue[]): CelValue {
  for (let i = 1; i < list.length; i++) {
    const order = compareValues(list[i - 1] ?? null, list[i] ?? null);
    if (isError(order)) return order;
    if (order > 0) return false;
  }
  return true;
}

function sum(list: readonly CelValue[], zero: CelValue): CelValue {
  let total = zero;
  for (const item of list) {
    total = plus(total, item);
    if (isError(total)) return total;
  }
  return total;
}

function plus(a: CelValue, b: CelValue): CelValue {
  if (isInt(a) && isInt(b)) return addInts(a, b);
  if (a instanceof Uint && b instanceof Uint) return uintOperation(a, b, "+");
  if (a instanceof Duration && b instanceof Duration) {
    return durationOf(a.nanoseconds + b.nanoseconds) ?? celError("integer overflow");
  }
  const [left, right] = [doubleValue(a), doubleValue(b)];
  return left === undefined || right === undefined ? noSuchOverload : double(left + right);
}

function traversalCost(value: CelValue): number {
  if (typeof value === "string") return Math.floor(utf8Length(value) * traversal);
  if (value instanceof Uint8Array) return Math.floor(value.length * traversal);
  if (isList(value)) return value.reduce((cost: number, item) => cost + traversalCost(item), 0);
  if (!isMap(value)) return 1;
  return keysOf(value).reduce(
    (cost: number, key) => cost + traversalCost(key) + traversalCost(entryOf(value, key) ?? null),
    0,
  );
}
