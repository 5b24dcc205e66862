import type { FieldError } from "../../apimachinery/errors/field.ts";
import { noGoTypes } from "../../apimachinery/go/go-shape.ts";
import type { Since } from "../../apimachinery/release.ts";
import type { Findings } from "../../apimachinery/validation/findings.ts";

/** What the validation of a value found. */
export interface ValueResult {
  readonly errors: Findings;
  /** The release whose checks are made. */
  readonly since: Since;
  /**
   * How many checks were made. Of several alternatives that all fail, the one with the most is reported (kube-openapi,
   * pkg/validation/validate/schema_props.go).
   */
  checks: number;
  /** The texts of the errors; undefined without errors. */
  texts: Set<string> | undefined;
}

/** A result without errors. */
export function emptyResult(since: Since): ValueResult {
  return { errors: [], since, checks: 0, texts: undefined };
}

/** Adds the findings of a part. */
export function merge(result: ValueResult, part: ValueResult): void {
  for (const error of part.errors) report(result, error);
  result.checks += part.checks;
}

/** Adds an error, if there is one that the result does not have yet. */
export function report(result: ValueResult, error: FieldError | undefined): void {
  if (error === undefined) return;
  result.texts ??= new Set();
  const { since, texts } = result;
  const { field, body } = error;
  const text = `${field}: ${typeof body === "string" ? body : body(since, noGoTypes)}`;
  if (texts.has(text)) return;
  texts.add(text);
  result.errors.push(error);
}
