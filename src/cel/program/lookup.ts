import { type CelError, celError } from "../values/cel-error.ts";
import { entryOf, isList, isMap } from "../values/containers.ts";
import { doubleValue, isInt, Uint } from "../values/numbers.ts";
import { showValue } from "../values/show.ts";
import { typeOf } from "../values/type-of.ts";
import type { CelValue } from "../values/value.ts";

/** The value of a key or an index; undefined if there is none. */
export function lookUp(value: CelValue, key: CelValue): CelValue | undefined {
  if (isList(value)) {
    const index = indexOf(key);
    return typeof index === "number" ? value[index] : index;
  }
  return isMap(value) ? entryOf(value, key) : undefined;
}

/**
 * The value of a field of a plain object, whose name no object inherits; undefined if the field is absent or the value
 * something else.
 */
export function plainField(value: CelValue, name: string): CelValue | undefined {
  // The constructor of plain objects is the quickest way to recognize them.
  if (typeof value !== "object" || value === null || value.constructor !== Object) return undefined;
  // The check above excludes all other values, but the compiler does not know it.
  return (value as { readonly [key: string]: CelValue })[name];
}

/** Whether every object inherits a property of this name. */
export function isInherited(name: string): boolean {
  return name in {};
}

/** The error for a key or an index that is absent. */
export function missing(value: CelValue, key: CelValue): CelError {
  return celError(`${isList(value) ? "index out of bounds" : "no such key"}: ${showValue(key)}`);
}

/** The index in a list: an int, or another number without a fraction. */
function indexOf(key: CelValue): number | CelError {
  if (isInt(key)) return Number(key);
  if (key instanceof Uint) return Number(key.value);
  const double = doubleValue(key);
  if (double === undefined) return celError(`unsupported index type '${typeOf(key).name}' in list`);
  return Number.isInteger(double) ? double : celError(`unsupported index value ${showValue(key)} in list`);
}
