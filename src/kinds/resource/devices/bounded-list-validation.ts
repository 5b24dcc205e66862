import { fieldDuplicate, fieldTooMany } from "../../../apimachinery/errors/field.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { repeats } from "../../../apimachinery/validation/repeats.ts";

/** Validates the items of a list and its length. */
export function addBoundedListErrors<T>(
  errors: Findings,
  items: readonly T[],
  maximum: number,
  field: string,
  addItemErrors: (errors: Findings, item: T, at: string) => void,
): void {
  for (const [i, item] of items.entries()) addItemErrors(errors, item, index(field, i));
  if (items.length > maximum) errors.push(fieldTooMany(field, items.length, maximum));
}

/** Adds an error for each repeated key. `keyField` is the field of the key within an item; empty if the item is the key. */
export function addDuplicateErrors(
  errors: Findings,
  keys: readonly string[],
  field: string,
  keyField: string,
): void {
  const isRepeated = repeats(keys);
  for (const [i, key] of keys.entries()) {
    if (!isRepeated[i]) continue;
    const at = index(field, i);
    errors.push(fieldDuplicate(keyField === "" ? at : child(at, keyField), key));
  }
}
