import { fieldInvalid } from "../../apimachinery/errors/field.ts";
import { integerAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { child } from "../../apimachinery/validation/field-path.ts";
import { addUnlessNonnegative, type Findings } from "../../apimachinery/validation/findings.ts";

/** Requires nonnegative numbers, in the order of `fields`. */
export function addNonnegativeFields(
  errors: Findings,
  object: JsonObject,
  path: string,
  fields: readonly string[],
): void {
  for (const field of fields) addUnlessNonnegative(errors, integerAt(object, field), child(path, field));
}

/** Requires each count of a status to be at most the count in the field `limit`. */
export function addIfAboveCount(
  errors: Findings,
  status: JsonObject,
  limit: string,
  counts: readonly string[],
  detail: string,
): void {
  const maximum = integerAt(status, limit);
  for (const count of counts) {
    const value = integerAt(status, count);
    if (value > maximum) errors.push(fieldInvalid(child("status", count), value, detail));
  }
}

/** The collision count must not decrease or be removed: controllers derive names from it. */
export function addIfCollisionCountDecremented(errors: Findings, status: JsonObject, old: JsonObject): void {
  const value = integerAt(status, "collisionCount");
  const before = old["collisionCount"];
  const isDecremented =
    before !== undefined &&
    (status["collisionCount"] === undefined || value < integerAt(old, "collisionCount"));
  if (isDecremented) errors.push(fieldInvalid("status.collisionCount", value, "cannot be decremented"));
}
