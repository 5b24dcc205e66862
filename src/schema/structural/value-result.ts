import type { FieldError } from "../../apimachinery/errors/field.ts";
import { addAll, type Findings } from "../../apimachinery/validation/findings.ts";

/** What the validation of a value found. */
export interface ValueResult {
  readonly errors: Findings;
  /**
   * How many checks were made. Of several alternatives that all fail, the one with the most is reported (kube-openapi,
   * pkg/validation/validate/schema_props.go).
   */
  checks: number;
}

/** A result without errors. */
export function emptyResult(): ValueResult {
  return { errors: [], checks: 0 };
}

/** Adds the findings of a part. */
export function merge(result: ValueResult, part: ValueResult): void {
  addAll(result.errors, part.errors);
  result.checks += part.checks;
}

/** Adds an error, if there is one. */
export function report(result: ValueResult, error: FieldError | undefined): void {
  if (error !== undefined) result.errors.push(error);
}
