import {
  fieldDuplicate,
  fieldInvalid,
  fieldRequired,
  fieldTooMany,
} from "../../../apimachinery/errors/field.ts";
import { textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { qualifiedNameMessages } from "../../../apimachinery/validation/qualified-names.ts";

const maxConditions = 64;

/** Validates match conditions, except for the compilation of their expressions. Upstream: validateMatchConditions. */
export function addMatchConditionErrors(
  errors: Findings,
  conditions: readonly JsonObject[],
  field: string,
): void {
  const names = new Set<string>();
  if (conditions.length > maxConditions) errors.push(fieldTooMany(field, conditions.length, maxConditions));
  for (const [i, condition] of conditions.entries()) {
    const at = index(field, i);
    const name = textAt(condition, "name");
    if (textAt(condition, "expression").trim() === "") errors.push(fieldRequired(child(at, "expression")));
    if (name === "") {
      errors.push(fieldRequired(child(at, "name")));
      continue;
    }
    for (const message of qualifiedNameMessages(name)) {
      errors.push(fieldInvalid(child(at, "name"), name, message));
    }
    if (names.has(name)) errors.push(fieldDuplicate(child(at, "name"), name));
    names.add(name);
  }
}
