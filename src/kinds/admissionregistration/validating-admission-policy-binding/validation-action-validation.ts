import {
  fieldDuplicate,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import { index } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { repeats } from "../../../apimachinery/validation/repeats.ts";

const actions = ["Audit", "Deny", "Warn"];
const actionsField = "spec.validationActions";

/** Upstream: pkg/apis/admissionregistration/validation/validation.go, validateValidationActions. */
export function addValidationActionErrors(errors: Findings, chosen: readonly string[]): void {
  const isRepeated = repeats(chosen);
  for (const [i, action] of chosen.entries()) {
    const at = index(actionsField, i);
    if (!actions.includes(action)) errors.push(fieldNotSupported(at, action, actions));
    if (isRepeated[i]) errors.push(fieldDuplicate(at, action));
  }
  if (chosen.includes("Deny") && chosen.includes("Warn")) {
    const detail =
      "must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)";
    errors.push(
      fieldInvalid(actionsField, typedValue("[]admissionregistration.ValidationAction", chosen), detail),
    );
  }
  if (chosen.length > 0) return;
  errors.push(fieldRequired(actionsField, "at least one validation action is required"));
}
