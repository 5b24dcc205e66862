import { fieldInvalid } from "../errors/field.ts";
import { sortedKeys } from "../text-order.ts";
import { checkedOnce } from "./checked-once.ts";
import { addInvalid, type Findings } from "./findings.ts";
import type { Labels } from "./label-requirement.ts";
import { labelValueMessages, qualifiedNameMessages } from "./qualified-names.ts";

/** Validates labels. An error shows the key or the value. The order is that of the keys; upstream's is random. */
export const addLabelErrors: (errors: Findings, labels: Labels, field: string) => void = checkedOnce(
  (errors, labels: Labels, field) => {
    for (const key of sortedKeys(labels)) {
      const value = labels[key] ?? "";
      for (const message of qualifiedNameMessages(key)) errors.push(fieldInvalid(field, key, message));
      for (const message of labelValueMessages(value)) errors.push(fieldInvalid(field, value, message));
    }
  },
);

/** Validates the key of a label. */
export function addLabelNameErrors(errors: Findings, name: string, field: string): void {
  addInvalid(errors, field, name, qualifiedNameMessages(name));
}
