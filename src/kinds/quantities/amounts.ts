import { objectAt, textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { parseQuantity, type Quantity } from "../../apimachinery/quantity.ts";

/** The quantities at a path, in the order of the object's keys. */
export function amountsAt(
  object: JsonObject,
  ...path: readonly string[]
): readonly (readonly [name: string, amount: Quantity])[] {
  const amounts = objectAt(object, ...path) ?? {};
  return Object.keys(amounts).map((name) => [name, parseQuantity(textAt(amounts, name))]);
}
