import { fieldInvalid } from "../../apimachinery/errors/field.ts";
import { typedValue } from "../../apimachinery/go/go-value.ts";
import type { JsonValue } from "../../apimachinery/json.ts";
import { addUnlessNonnegative, type Findings } from "../../apimachinery/validation/findings.ts";
import { percentMessages } from "../../apimachinery/validation/value-formats.ts";

/**
 * Requires a nonnegative number or a percentage such as `25%`.
 * Upstream: ValidatePositiveIntOrPercent of pkg/apis/apps/validation/validation.go.
 */
export function addUnlessIntOrPercent(errors: Findings, value: JsonValue | undefined, field: string): void {
  if (typeof value !== "string") {
    addUnlessNonnegative(errors, Number(value ?? 0), field);
    return;
  }
  for (const message of percentMessages(value)) {
    errors.push(fieldInvalid(field, typedValue("intstr.IntOrString", value), message));
  }
}

/** Upstream: IsNotMoreThan100Percent of pkg/apis/apps/validation/validation.go. */
export function addIfAbove100Percent(errors: Findings, value: JsonValue | undefined, field: string): void {
  if (percentOf(value) > 100) {
    errors.push(
      fieldInvalid(field, typedValue("intstr.IntOrString", value), "must not be greater than 100%"),
    );
  }
}

/** Whether the value is 0 or `0%`. Other text counts as zero, unless it is a number. */
export function isZeroIntOrPercent(value: JsonValue | undefined): boolean {
  if (typeof value !== "string") return !value;
  return percentMessages(value).length === 0 ? percentOf(value) === 0 : !/^[-+]?0*[1-9]\d*$/.test(value);
}

function percentOf(value: JsonValue | undefined): number {
  if (typeof value !== "string" || percentMessages(value).length > 0) return 0;
  return Number(value.slice(0, -1));
}
