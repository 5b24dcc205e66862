import { type FieldError, fieldInvalid } from "../errors/field.ts";
import { sortedKeys } from "../text-order.ts";
import type { Labels } from "./label-requirement.ts";
import { labelValueMessages, qualifiedNameMessages } from "./qualified-names.ts";

/** Validates labels. An error shows the key or the value. The order is that of the keys; upstream's is random. */
export function labelErrors(labels: Labels, field: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const key of sortedKeys(labels)) {
    const value = labels[key] ?? "";
    for (const message of qualifiedNameMessages(key)) errors.push(fieldInvalid(field, key, message));
    for (const message of labelValueMessages(value)) errors.push(fieldInvalid(field, value, message));
  }
  return errors;
}

/** Validates the key of a label. */
export function labelNameErrors(name: string, field: string): FieldError[] {
  return qualifiedNameMessages(name).map((message) => fieldInvalid(field, name, message));
}
