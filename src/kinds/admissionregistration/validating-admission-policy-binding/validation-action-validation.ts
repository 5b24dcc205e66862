import {
  type FieldError,
  fieldDuplicate,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import { index } from "../../../apimachinery/validation/field-path.ts";

const actions = ["Audit", "Deny", "Warn"];
const actionsField = "spec.validationActions";

/** Upstream: pkg/apis/admissionregistration/validation/validation.go, validateValidationActions. */
export function validationActionErrors(chosen: readonly string[]): FieldError[] {
  const errors: FieldError[] = chosen.flatMap((action, i) => {
    const at = index(actionsField, i);
    return [
      ...(actions.includes(action) ? [] : [fieldNotSupported(at, action, actions)]),
      ...(chosen.indexOf(action) < i ? [fieldDuplicate(at, action)] : []),
    ];
  });
  if (chosen.includes("Deny") && chosen.includes("Warn")) {
    const detail =
      "must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)";
    errors.push(
      fieldInvalid(actionsField, typedValue("[]admissionregistration.ValidationAction", chosen), detail),
    );
  }
  if (chosen.length > 0) return errors;
  return [...errors, fieldRequired(actionsField, "at least one validation action is required")];
}
