import { type FieldError, fieldDuplicate, fieldTooMany } from "../../../apimachinery/errors/field.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";

/** What is wrong with the items of a list, and that there are more of them than may be. */
export function boundedListErrors<T>(
  items: readonly T[],
  maximum: number,
  field: string,
  errorsOf: (item: T, at: string) => readonly FieldError[],
): FieldError[] {
  const errors = items.flatMap((item, i) => errorsOf(item, index(field, i)));
  return items.length > maximum ? [...errors, fieldTooMany(field, items.length, maximum)] : errors;
}

/** Which items come twice. `keyField` is where an item has its key; the empty text for one that is its own key. */
export function duplicateErrors(keys: readonly string[], field: string, keyField: string): FieldError[] {
  return keys.flatMap((key, i) => {
    if (keys.indexOf(key) === i) return [];
    const at = index(field, i);
    return [fieldDuplicate(keyField === "" ? at : child(at, keyField), key)];
  });
}
