import { fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { numberAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";

/** These limits keep the lists of indexes in the status short enough to store. */
const parallelismMax = 100_000;
const failedIndexesMax = 100_000;
/** Above this number of completions, the other limits are lower. */
const manyCompletions = 100_000;
const parallelismMaxForMany = 10_000;
const failedIndexesMaxForMany = 10_000;

/** Validates the counts of an Indexed Job. */
export function addIndexedCompletion(errors: Findings, spec: JsonObject, path: string): void {
  if (spec["completions"] === undefined) {
    errors.push(fieldRequired(child(path, "completions"), "when completion mode is Indexed"));
  }
  const parallelismDetail = `must be less than or equal to ${parallelismMax} when completion mode is Indexed`;
  addIfAbove(errors, spec, path, "parallelism", parallelismMax, parallelismDetail);
  if (spec["completions"] !== undefined) {
    const detail = "must be less than or equal to completions";
    addIfAbove(errors, spec, path, "maxFailedIndexes", numberAt(spec, "completions"), detail);
  }
  const maxFailedDetail = `must be less than or equal to ${failedIndexesMax}`;
  addIfAbove(errors, spec, path, "maxFailedIndexes", failedIndexesMax, maxFailedDetail);
  if (numberAt(spec, "completions") > manyCompletions && spec["backoffLimitPerIndex"] !== undefined) {
    addManyCompletions(errors, spec, path);
  }
}

/** Rejects fields that only an Indexed Job may set. */
export function addIndexedOnlyFields(errors: Findings, spec: JsonObject, path: string): void {
  for (const field of ["backoffLimitPerIndex", "maxFailedIndexes"]) {
    const value = spec[field];
    if (value !== undefined) {
      errors.push(fieldInvalid(child(path, field), value, "requires indexed completion mode"));
    }
  }
}

function addManyCompletions(errors: Findings, spec: JsonObject, path: string): void {
  if (spec["maxFailedIndexes"] === undefined) {
    const detail = `must be specified when completions is above ${manyCompletions}`;
    errors.push(fieldRequired(child(path, "maxFailedIndexes"), detail));
  }
  const condition = `when completions are above ${manyCompletions} and used with backoff limit per index`;
  const parallelism = `must be less than or equal to ${parallelismMaxForMany} ${condition}`;
  addIfAbove(errors, spec, path, "parallelism", parallelismMaxForMany, parallelism);
  const failedIndexes = `must be less than or equal to ${failedIndexesMaxForMany} ${condition}`;
  addIfAbove(errors, spec, path, "maxFailedIndexes", failedIndexesMaxForMany, failedIndexes);
}

function addIfAbove(
  errors: Findings,
  spec: JsonObject,
  path: string,
  field: string,
  maximum: number,
  detail: string,
): void {
  const value = numberAt(spec, field);
  if (value > maximum) errors.push(fieldInvalid(child(path, field), value, detail));
}
