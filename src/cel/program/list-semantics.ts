import type { Implementation } from "../environment/declarations.ts";
import type { CelType, ListSemantics } from "../types/cel-type.ts";
import { noSuchOverload } from "../values/cel-error.ts";
import { isList } from "../values/containers.ts";
import { equalValues } from "../values/equality.ts";
import type { CelValue } from "../values/value.ts";
import { lookUp } from "./lookup.ts";

/**
 * The function of an operator for lists whose schema says how they compare (apiserver, pkg/cel/common/values.go):
 * sets and maps compare without order, and adding to them replaces what is there. Undefined for other operators.
 */
export function listOperation(overload: string, type: CelType): Implementation | undefined {
  const { listSemantics: semantics } = type;
  if (semantics === undefined) return undefined;
  const isSame = (a: CelValue, b: CelValue) => sameItem(semantics, a, b);
  switch (overload) {
    case "equals":
      return (a = null, b = null) => equalLists(a, b, isSame);
    case "not_equals":
      return (a = null, b = null) => !equalLists(a, b, isSame);
    case "add_list":
      return (a = null, b = null) => (isList(a) && isList(b) ? merged(a, b, isSame) : noSuchOverload);
    default:
      return undefined;
  }
}

type Same = (a: CelValue, b: CelValue) => boolean;

/** Whether two elements are one: equal, or with equal keys. */
function sameItem({ type, keys }: ListSemantics, a: CelValue, b: CelValue): boolean {
  if (type === "set") return equalValues(a, b);
  return keys.every((key) => {
    const [left, right] = [lookUp(a, key), lookUp(b, key)];
    return left === undefined || right === undefined ? left === right : equalValues(left, right);
  });
}

function equalLists(a: CelValue, b: CelValue, isSame: Same): boolean {
  if (!isList(a) || !isList(b)) return equalValues(a, b);
  if (a.length !== b.length) return false;
  return a.every((item) => b.some((other) => isSame(item, other) && equalValues(item, other)));
}

/** The first list with its elements replaced by those of the second one, and then the rest of those. */
function merged(a: readonly CelValue[], b: readonly CelValue[], isSame: Same): readonly CelValue[] {
  const replaced = a.map((item) => b.find((other) => isSame(item, other)) ?? item);
  return [...replaced, ...b.filter((other) => !a.some((item) => isSame(item, other)))];
}
