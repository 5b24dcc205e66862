import type { FunctionDeclaration, Overload } from "../../environment/declarations.ts";
import { A, B, declare, global, member } from "../../environment/declare.ts";
import { scale } from "../../environment/estimates.ts";
import { operators } from "../../syntax/operators.ts";
import { type CelType, listType, mapType, types } from "../../types/cel-type.ts";
import { noSuchOverload } from "../../values/cel-error.ts";
import { entryOf, isList, isMap } from "../../values/containers.ts";
import { equalValues } from "../../values/equality.ts";
import { mapKey } from "../../values/value.ts";
import { sizeAt } from "../costs.ts";
import { costSize, sizeOf } from "../sizes.ts";

const sized: readonly (readonly [name: string, type: CelType])[] = [
  ["bytes", types.bytes],
  ["list", listType(A)],
  ["map", mapType(A, B)],
  ["string", types.string],
];

/** `in` and `size`. Indices are operations of the evaluation itself. */
export const containers: readonly FunctionDeclaration[] = [
  declare(
    operators.index,
    global("index_list", [listType(A), types.int], A, () => noSuchOverload),
    global("index_map", [mapType(A, B), A], B, () => noSuchOverload),
  ),
  declare(
    operators.in,
    global(
      "in_list",
      [A, listType(A)],
      types.bool,
      (item = null, list = null) => {
        if (!isList(list)) return noSuchOverload;
        return list.some((element) => equalValues(element, item));
      },
      {
        cost: ([, list]) => costSize(list),
        estimate: (operands) => ({ cost: scale(sizeAt(operands, 1), 1) }),
      },
    ),
    global("in_map", [A, mapType(A, B)], types.bool, (key = null, map = null) => {
      if (!isMap(map)) return noSuchOverload;
      return mapKey(key) !== undefined && entryOf(map, key) !== undefined;
    }),
  ),
  declare("size", ...sized.flatMap(sizes)),
];

function sizes([name, type]: readonly [string, CelType]): readonly Overload[] {
  const call: Overload["call"] = (value = null) => sizeOf(value) ?? noSuchOverload;
  return [global(`size_${name}`, [type], types.int, call), member(`${name}_size`, [type], types.int, call)];
}
