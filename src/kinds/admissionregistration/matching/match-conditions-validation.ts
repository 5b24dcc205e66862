import {
  fieldDuplicate,
  fieldInternal,
  fieldInvalid,
  fieldRequired,
  fieldTooMany,
} from "../../../apimachinery/errors/field.ts";
import { textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { Release } from "../../../apimachinery/release.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { qualifiedNameMessages } from "../../../apimachinery/validation/qualified-names.ts";
import { admissionEnvironment } from "../../../cel/admission-environment.ts";
import { compileCondition } from "../../../cel/condition.ts";

const maxConditions = 64;

/** What the expressions of conditions may use. */
export interface ConditionExpressions {
  readonly release: Release;
  readonly hasParams: boolean;
  /** The expressions that the stored object has already; they may use what the release before does not have. */
  readonly stored: ReadonlySet<string>;
}

/**
 * Validates match conditions; their expressions are compiled if `expressions` says how. Upstream: pkg/apis/admissionregistration/validation,
 * validateMatchConditions.
 */
export function addMatchConditionErrors(
  errors: Findings,
  conditions: readonly JsonObject[],
  field: string,
  expressions: ConditionExpressions | undefined = undefined,
): void {
  const names = new Set<string>();
  if (conditions.length > maxConditions) errors.push(fieldTooMany(field, conditions.length, maxConditions));
  for (const [i, condition] of conditions.entries()) {
    const at = index(field, i);
    const name = textAt(condition, "name");
    const expression = textAt(condition, "expression");
    if (expression.trim() === "") errors.push(fieldRequired(child(at, "expression")));
    else if (expressions !== undefined) {
      addExpressionErrors(errors, expression.trim(), child(at, "expression"), expressions);
    }
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

function addExpressionErrors(
  errors: Findings,
  expression: string,
  field: string,
  { release, hasParams, stored }: ConditionExpressions,
): void {
  const expressions = stored.has(expression) ? "stored" : "new";
  const compiled = compileCondition(expression, admissionEnvironment({ release, expressions, hasParams }));
  if (!("problem" in compiled)) return;
  const { problem, kind } = compiled;
  errors.push(kind === "internal" ? fieldInternal(field, problem) : fieldInvalid(field, expression, problem));
}
