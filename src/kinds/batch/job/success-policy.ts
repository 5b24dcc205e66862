import {
  fieldInvalid,
  fieldRequired,
  fieldTooLong,
  fieldTooMany,
} from "../../../apimachinery/errors/field.ts";
import { listAt, numberAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { utf8Length } from "../../../apimachinery/utf8.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { addUnlessNonnegative, type Findings } from "../../../apimachinery/validation/findings.ts";
import { countIndexes, IndexFormatError } from "./index-intervals.ts";

const rulesMax = 20;
const succeededIndexesMax = 64 * 1024;

/**
 * Validates the success policy of an Indexed Job.
 * Upstream: pkg/apis/batch/validation/validation.go, validateSuccessPolicy.
 */
export function addSuccessPolicy(errors: Findings, spec: JsonObject, path: string): void {
  const rulesPath = child(path, "rules");
  const rules = listAt(spec, "successPolicy", "rules");
  if (rules.length === 0) {
    const detail = "at least one rules must be specified when the successPolicy is specified";
    errors.push(fieldRequired(rulesPath, detail));
  }
  if (rules.length > rulesMax) errors.push(fieldTooMany(rulesPath, rules.length, rulesMax));
  const completions = numberAt(spec, "completions");
  for (const [position, rule] of rules.entries())
    addRule(errors, rule, completions, index(rulesPath, position));
}

function addRule(errors: Findings, rule: JsonObject, completions: number, path: string): void {
  const { succeededCount, succeededIndexes } = rule;
  if (succeededCount === undefined && succeededIndexes === undefined) {
    errors.push(fieldRequired(path, "at least one of succeededCount or succeededIndexes must be specified"));
  }
  const indexed =
    typeof succeededIndexes === "string"
      ? addIndexListErrors(errors, succeededIndexes, completions, child(path, "succeededIndexes"))
      : undefined;
  if (typeof succeededCount !== "number") return;
  const field = child(path, "succeededCount");
  addUnlessNonnegative(errors, succeededCount, field);
  if (succeededCount > completions) {
    const detail = `must be less than or equal to ${completions} (the number of specified completions)`;
    errors.push(fieldInvalid(field, succeededCount, detail));
  }
  if (indexed !== undefined && succeededCount > indexed) {
    const what = "the number of indexes in the specified succeededIndexes field";
    errors.push(fieldInvalid(field, succeededCount, `must be less than or equal to ${indexed} (${what})`));
  }
}

/** Validates a list of indexes. Returns how many it contains, or 0 for a malformed list. */
function addIndexListErrors(errors: Findings, text: string, completions: number, field: string): number {
  if (utf8Length(text) > succeededIndexesMax) errors.push(fieldTooLong(field, succeededIndexesMax));
  try {
    return countIndexes(text, completions);
  } catch (error) {
    if (!(error instanceof IndexFormatError)) throw error;
    errors.push(fieldInvalid(field, text, `error parsing succeededIndexes: ${error.message}`));
    return 0;
  }
}
