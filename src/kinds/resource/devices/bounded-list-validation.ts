import { type FieldError, fieldDuplicate, fieldTooMany } from "../../../apimachinery/errors/field.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";

/** Validates the items of a list and its length. */
export function boundedListErrors<T>(
  items: readonly T[],
  maximum: number,
  field: string,
  errorsOf: (item: T, at: string) => readonly FieldError[],
): FieldError[] {
  const errors = items.flatMap((item, i) => errorsOf(item, index(field, i)));
  return items.length > maximum ? [...errors, fieldTooMany(field, items.length, maximum)] : errors;
}

/** An error for each repeated key. `keyField` is the field of the key within an item; empty if the item is the key. */
export function duplicateErrors(keys: readonly string[], field: string, keyField: string): FieldError[] {
  return keys.flatMap((key, i) => {
    if (keys.indexOf(key) === i) return [];
    const at = index(field, i);
    return [fieldDuplicate(keyField === "" ? at : child(at, keyField), key)];
  });
}
