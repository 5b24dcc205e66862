import { objectAt, textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { parseQuantity, type Quantity } from "../../apimachinery/quantity.ts";

/** The amounts of resources at a path, in the order of their names. */
export function amountsAt(
  object: JsonObject,
  ...path: readonly string[]
): readonly (readonly [name: string, amount: Quantity])[] {
  const amounts = objectAt(object, ...path) ?? {};
  return Object.keys(amounts).map((name) => [name, parseQuantity(textAt(amounts, name))]);
}
