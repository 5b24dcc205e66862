import type { Library, Overload } from "../../environment/declarations.ts";
import { A, declare, global, member, type OverloadExtras } from "../../environment/declare.ts";
import { add, type EstimatedNode, fixed, multiply, type Range, scale } from "../../environment/estimates.ts";
import type { Expression } from "../../syntax/expression.ts";
import { unusedVariable } from "../../syntax/expression.ts";
import { type ExpressionBuilder, MacroError } from "../../syntax/expression-builder.ts";
import { expandMap, member as macro } from "../../syntax/macros.ts";
import { type CelType, listType, types } from "../../types/cel-type.ts";
import { celError, costLimitExceeded, isError } from "../../values/cel-error.ts";
import { isList } from "../../values/containers.ts";
import { equalValues } from "../../values/equality.ts";
import type { Int } from "../../values/numbers.ts";
import { compareValues } from "../../values/order.ts";
import { typeOf } from "../../values/type-of.ts";
import { type CelValue, type MapKey, mapKey } from "../../values/value.ts";
import { binary, ternary, unary } from "../arguments.ts";
import { sizeAt, traversal } from "../costs.ts";
import { isInteger, isListValue } from "../guards.ts";
import { costSize } from "../sizes.ts";

const { int } = types;
const listOfA = listType(A);
const sortByKeys = "@sortByAssociatedKeys";
const ordered: readonly CelType[] = [
  types.int,
  types.uint,
  types.double,
  types.bool,
  types.duration,
  types.timestamp,
  types.string,
  types.bytes,
];

/** No expression of Kubernetes can read a longer list within its cost. */
const maxLength = 1_000_000;

/** Version 3 of cel-go's library: slice, flatten, sort, sortBy, lists.range, reverse, distinct. */
export const extendedLists: Library = {
  functions: [
    declare(
      "slice",
      member(
        "list_slice",
        [listOfA, int, int],
        listOfA,
        ternary(isListValue, isInteger, isInteger, slice),
        makingResult(sliceSize),
      ),
    ),
    declare(
      "flatten",
      member(
        "list_flatten",
        [listType(listOfA)],
        listOfA,
        unary(isListValue, (list) => flatten(list, 1)),
        flattening(),
      ),
      member(
        "list_flatten_int",
        [listType(types.dyn), int],
        listType(types.dyn),
        binary(isListValue, isInteger, (list, depth) => flatten(list, Number(depth))),
        flattening(),
      ),
    ),
    declare("sort", ...ordered.map((type) => sorting("sort", [listType(type)], listType(type), 0))),
    declare(
      sortByKeys,
      ...ordered.map((type) => sorting("sortByAssociatedKeys", [listOfA, listType(type)], listOfA, 1)),
    ),
    declare(
      "lists.range",
      global("lists_range", [int], listType(int), unary(isInteger, range), makingResult(rangeSize)),
    ),
    declare(
      "reverse",
      member(
        "list_reverse",
        [listOfA],
        listOfA,
        unary(isListValue, (list) => list.toReversed()),
        makingResult((operands) => sizeAt(operands, 0)),
      ),
    ),
    declare(
      "distinct",
      member("list_distinct", [listOfA], listOfA, unary(isListValue, distinct), comparingAll(0)),
    ),
  ],
  macros: [macro("sortBy", 2, expandSortBy)],
};

/** What making a list of this size costs, besides the call. */
function making(size: Range, factor: number): Range {
  return add(scale(size, factor), fixed(11));
}

function makingResult(size: (operands: readonly EstimatedNode[]) => Range): OverloadExtras {
  return {
    cost: (_args, result) => costSize(result) + 11,
    estimate: (operands) => ({ cost: making(size(operands), 1), resultSize: size(operands) }),
  };
}

function flattening(): OverloadExtras {
  return {
    cost: ([list, depth]) => Math.floor(costSize(list) * (depth === undefined ? 1 : Number(depth))) + 11,
    estimate: (operands) => {
      const depth = operands.length > 1 ? literalInt(operands[1], Number.POSITIVE_INFINITY) : 1;
      return { cost: making(sizeAt(operands, 0), depth), resultSize: sizeAt(operands, 0) };
    },
  };
}

/** Comparing each element with each other one. */
function comparingAll(index: number): OverloadExtras {
  const factor = (isText: boolean) => (isText ? 2 + traversal : 2);
  const isText = ({ kind }: CelType) => kind === "string" || kind === "bytes";
  return {
    cost: (args) => {
      const list = args[index];
      const first = isList(list) ? list[0] : undefined;
      const isTextual = first !== undefined && isText(typeOf(first));
      return Math.floor(costSize(list) ** 2 * factor(isTextual)) + 11;
    },
    estimate: (operands) => {
      const size = multiply(sizeAt(operands, index), sizeAt(operands, index));
      const element = operands[index]?.element?.type ?? types.dyn;
      return { cost: making(size, factor(isText(element) || element.kind === "dyn")), resultSize: size };
    },
  };
}

function sorting(name: string, parameters: readonly CelType[], result: CelType, keys: number): Overload {
  const type = parameters[keys]?.parameters[0] ?? types.dyn;
  const call =
    keys === 0 ? unary(isListValue, (list) => sorted(list, list)) : binary(isListValue, isListValue, sorted);
  return member(`list_${type.name}_${name}`, parameters, result, call, comparingAll(keys));
}

function literalInt(node: EstimatedNode | undefined, otherwise: number): number {
  const { expression } = node ?? {};
  const isInt = expression?.kind === "literal" && typeof expression.value === "number";
  return isInt ? Math.max(0, Number(expression.value)) : otherwise;
}

function sliceSize(operands: readonly EstimatedNode[]): Range {
  const start = literalInt(operands[1], 0);
  return fixed(Math.max(0, literalInt(operands[2], sizeAt(operands, 0).max) - start));
}

function rangeSize([count]: readonly EstimatedNode[]): Range {
  return fixed(literalInt(count, Number.POSITIVE_INFINITY));
}

function slice(list: readonly CelValue[], from: Int, to: Int): CelValue {
  const [start, end] = [Number(from), Number(to)];
  const failure = (why: string) => celError(`cannot slice(${start}, ${end}), ${why}`);
  if (start < 0 || end < 0) return failure("negative indexes not supported");
  if (start > end) return failure("start index must be less than or equal to end index");
  return list.length < end ? failure(`list is length ${list.length}`) : list.slice(start, end);
}

function flatten(list: readonly CelValue[], depth: number): CelValue {
  if (depth < 0) return celError("level must be non-negative");
  const flat: CelValue[] = [];
  const addAll = (items: readonly CelValue[], level: number): void => {
    for (const item of items) {
      if (flat.length > maxLength) return;
      if (isList(item) && level > 0) addAll(item, level - 1);
      else flat.push(item);
    }
  };
  addAll(list, depth);
  return flat.length > maxLength ? costLimitExceeded : flat;
}

function range(count: Int): CelValue {
  return count > maxLength
    ? costLimitExceeded
    : Array.from({ length: Math.max(0, Number(count)) }, (_, i) => i);
}

function sorted(list: readonly CelValue[], keys: readonly CelValue[]): CelValue {
  if (list.length !== keys.length) {
    return celError(
      `${sortByKeys}() expected a list of the same size as the associated keys list, but got ${list.length} and ${keys.length} elements respectively`,
    );
  }
  let error: CelValue | undefined;
  const [first] = keys;
  const type = typeOf(first ?? null).name;
  if (keys.some((key) => typeOf(key).name !== type)) return celError("list elements must have the same type");
  const items = list.map((item, i) => ({ item, key: keys[i] ?? null }));
  items.sort((a, b) => {
    const order = compareValues(a.key, b.key);
    if (!isError(order)) return order;
    error ??= order;
    return 0;
  });
  return error ?? items.map(({ item }) => item);
}

/** The elements without those that are equal to one before. */
function distinct(list: readonly CelValue[]): CelValue {
  const keys = new Set<MapKey>();
  const others: CelValue[] = [];
  return list.filter((item) => {
    const key = mapKey(item);
    if (key !== undefined) {
      if (keys.has(key)) return false;
      keys.add(key);
      return true;
    }
    if (others.some((other) => equalValues(other, item))) return false;
    others.push(item);
    return true;
  });
}

const sortedKinds: ReadonlySet<Expression["kind"]> = new Set([
  "list",
  "select",
  "identifier",
  "comprehension",
  "call",
]);

/** `list.sortBy(x, key)`: binds the list, maps it to its keys and sorts by them. */
function expandSortBy(
  build: ExpressionBuilder,
  target: Expression | undefined,
  args: readonly Expression[],
): Expression | undefined {
  if (target === undefined) return undefined;
  if (!sortedKinds.has(target.kind)) {
    throw new MacroError(
      target,
      "sortBy can only be applied to a list, identifier, comprehension, call or select expression",
    );
  }
  const input = "@__sortBy_input__";
  const keys = expandMap(build, build.identifier(input), args);
  if (keys === undefined) return undefined;
  return build.comprehension({
    form: "bind",
    range: build.list(),
    variable: unusedVariable,
    accumulator: input,
    initial: target,
    condition: build.literal(false),
    step: build.identifier(input),
    result: build.memberCall(sortByKeys, build.identifier(input), keys),
  });
}
