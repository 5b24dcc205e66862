import type { Implementation, Library } from "../../environment/declarations.ts";
import { A, declare, global, type OverloadExtras } from "../../environment/declare.ts";
import { add, fixed, multiply, scale } from "../../environment/estimates.ts";
import { listType, types } from "../../types/cel-type.ts";
import { equalValues } from "../../values/equality.ts";
import type { CelValue } from "../../values/value.ts";
import { binary } from "../arguments.ts";
import { sizeAt } from "../costs.ts";
import { isListValue } from "../guards.ts";
import { costSize } from "../sizes.ts";

/** Lists as sets: sets.contains, sets.equivalent, sets.intersects. */
export const sets: Library = {
  functions: [
    ofSets("contains", (a, b) => contains(a, b), 1),
    ofSets("equivalent", (a, b) => contains(a, b) && contains(b, a), 2),
    ofSets("intersects", (a, b) => b.length > 0 && b.some((item) => includes(a, item)), 1),
  ],
};

function ofSets(
  name: string,
  holds: (a: readonly CelValue[], b: readonly CelValue[]) => boolean,
  factor: number,
): Library["functions"][number] {
  const call: Implementation = binary(isListValue, isListValue, holds);
  // Each element of one list is compared with each of the other (cel-go, ext/sets.go).
  const extras: OverloadExtras = {
    cost: ([a, b]) => 1 + Math.floor(costSize(a) * costSize(b) * factor),
    estimate: (operands) => ({
      cost: add(fixed(1), scale(multiply(sizeAt(operands, 0), sizeAt(operands, 1)), factor)),
    }),
  };
  const id = `list_sets_${name}_list`;
  return declare(`sets.${name}`, global(id, [listType(A), listType(A)], types.bool, call, extras));
}

function contains(list: readonly CelValue[], items: readonly CelValue[]): boolean {
  return items.every((item) => includes(list, item));
}

function includes(list: readonly CelValue[], item: CelValue): boolean {
  return list.some((element) => equalValues(element, item));
}
