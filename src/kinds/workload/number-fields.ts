import { fieldInvalid } from "../../apimachinery/errors/field.ts";
import { integerAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { child } from "../../apimachinery/validation/field-path.ts";
import { addUnlessNonnegative, type Findings } from "../findings/findings.ts";

/** Numbers that may not be below zero, in this order; those that are not set are zero. */
export function addNonnegativeFields(
  errors: Findings,
  object: JsonObject,
  path: string,
  fields: readonly string[],
): void {
  for (const field of fields) addUnlessNonnegative(errors, integerAt(object, field), child(path, field));
}

/** Counts of a status that are among those of another count, in this order. */
export function addUnlessAmong(
  errors: Findings,
  status: JsonObject,
  limit: string,
  counts: readonly string[],
  detail: string,
): void {
  const most = integerAt(status, limit);
  for (const count of counts) {
    const value = integerAt(status, count);
    if (value > most) errors.push(fieldInvalid(child("status", count), value, detail));
  }
}

/** A count of collisions that controllers rely on, and that only grows. */
export function addUnlessGrown(errors: Findings, status: JsonObject, old: JsonObject): void {
  const value = integerAt(status, "collisionCount");
  const before = old["collisionCount"];
  const isDecremented =
    before !== undefined &&
    (status["collisionCount"] === undefined || value < integerAt(old, "collisionCount"));
  if (isDecremented) errors.push(fieldInvalid("status.collisionCount", value, "cannot be decremented"));
}
