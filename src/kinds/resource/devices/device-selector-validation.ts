import {
  fieldForbidden,
  fieldInternal,
  fieldInvalid,
  fieldRequired,
  fieldTooLong,
} from "../../../apimachinery/errors/field.ts";
import { objectAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { utf8Length } from "../../../apimachinery/utf8.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { compileDeviceSelector } from "../../../cel/device-selector.ts";
import { addBoundedListErrors } from "./bounded-list-validation.ts";
import type { DeviceRules } from "./device-rules.ts";

const maxSelectors = 32;
const maxExpressionLength = 10 * 1024;
const maxCost = 1_000_000;

/** Validates device selectors. Upstream: pkg/apis/resource/validation/validation.go, validateSelectorSlice. */
export function addSelectorErrors(
  errors: Findings,
  selectors: readonly JsonObject[],
  field: string,
  rules: DeviceRules,
): void {
  addBoundedListErrors(errors, selectors, maxSelectors, field, (errors, selector, at) => {
    const cel = objectAt(selector, "cel");
    if (cel === undefined) errors.push(fieldRequired(child(at, "cel")));
    else addExpressionErrors(errors, textAt(cel, "expression"), child(at, "cel", "expression"), rules);
  });
}

function addExpressionErrors(
  errors: Findings,
  expression: string,
  field: string,
  { release, age, gates }: DeviceRules,
): void {
  if (utf8Length(expression) > maxExpressionLength) {
    errors.push(fieldTooLong(field, maxExpressionLength));
    return;
  }
  const sharing = gates.isEnabled("DRAConsumableCapacity") ? "known" : "unknown";
  const selector = compileDeviceSelector(expression, { release, expressions: age, sharing });
  if ("problem" in selector) {
    const { problem, kind } = selector;
    errors.push(
      kind === "internal" ? fieldInternal(field, problem) : fieldInvalid(field, expression, problem),
    );
  } else if (selector.maxCost > maxCost && gates.since("1.32")) {
    errors.push(fieldForbidden(field, "too complex, exceeds cost limit"));
  }
}
