import { fieldInvalid } from "../../apimachinery/errors/field.ts";
import { goIntOrString, typedValue } from "../../apimachinery/go/go-type.ts";
import type { JsonValue } from "../../apimachinery/json.ts";
import { percentMessages } from "../../apimachinery/validation/value-formats.ts";
import { addUnlessNonnegative, type Findings } from "../findings/findings.ts";

/** A number that is not negative, or a share such as `25%`. */
export function addUnlessIntOrPercent(errors: Findings, value: JsonValue | undefined, field: string): void {
  if (typeof value !== "string") {
    addUnlessNonnegative(errors, Number(value ?? 0), field);
    return;
  }
  for (const message of percentMessages(value)) {
    errors.push(fieldInvalid(field, typedValue(goIntOrString, value), message));
  }
}

/** A share is of what is there, so it is no more than all of it. */
export function addUnlessAtMostAll(errors: Findings, value: JsonValue | undefined, field: string): void {
  if (percentOf(value) > 100) {
    errors.push(fieldInvalid(field, typedValue(goIntOrString, value), "must not be greater than 100%"));
  }
}

/** Whether it comes to nothing. A text that is no share counts as the number it is. */
export function isNothing(value: JsonValue | undefined): boolean {
  if (typeof value !== "string") return !value;
  return percentMessages(value).length === 0 ? percentOf(value) === 0 : !/^[-+]?0*[1-9]\d*$/.test(value);
}

function percentOf(value: JsonValue | undefined): number {
  if (typeof value !== "string" || percentMessages(value).length > 0) return 0;
  return Number(value.slice(0, -1));
}
