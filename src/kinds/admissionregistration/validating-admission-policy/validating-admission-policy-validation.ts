import {
  type FieldError,
  fieldDuplicate,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { listAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { utf8Length } from "../../../apimachinery/utf8.ts";
import { conditionErrors } from "../../../apimachinery/validation/condition-validation.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { qualifiedNameMessages } from "../../../apimachinery/validation/qualified-names.ts";
import { policySpecErrors } from "../policy/admission-policy-validation.ts";

const reasons = ["Forbidden", "Invalid", "RequestEntityTooLarge"];
const maxAnnotations = 20;
const maxValueExpressionLength = 5 * 1024;
const annotationsField = "spec.auditAnnotations";

/** `old` is undefined on create. Upstream: ValidateValidatingAdmissionPolicy. */
export function validatingAdmissionPolicyErrors(
  policy: KubeObject,
  old: KubeObject | undefined,
): FieldError[] {
  const spec = structAt(policy, "spec");
  const validations = listAt(spec, "validations");
  const annotations = listAt(spec, "auditAnnotations");
  const errors = policySpecErrors(spec, old && structAt(old, "spec"));
  if (validations.length + annotations.length === 0) {
    const detail = "validations or auditAnnotations must contain at least one item";
    return [...errors, fieldRequired("spec.validations", detail), fieldRequired(annotationsField, detail)];
  }
  return [
    ...errors,
    ...validations.flatMap((validation, i) => validationErrors(validation, index("spec.validations", i))),
    ...annotationErrors(annotations, policy.metadata.name ?? ""),
  ];
}

function validationErrors(validation: JsonObject, at: string): FieldError[] {
  const reason = validation["reason"];
  return [
    ...(isBlank(textAt(validation, "expression"))
      ? [fieldRequired(child(at, "expression"), "expression is not specified")]
      : []),
    ...blankErrors(textAt(validation, "messageExpression"), child(at, "messageExpression"), ""),
    ...messageErrors(textAt(validation, "message"), child(at, "message")),
    ...(reason === undefined || reasons.includes(String(reason))
      ? []
      : [fieldNotSupported(child(at, "reason"), reason, reasons)]),
  ];
}

function messageErrors(message: string, field: string): FieldError[] {
  if (isBlank(message)) return blankErrors(message, field, "message ");
  return /[\n\r]/.test(message.trim())
    ? [fieldInvalid(field, message, "message must not contain line breaks")]
    : [];
}

function blankErrors(text: string, field: string, what: string): FieldError[] {
  return text !== "" && isBlank(text)
    ? [fieldInvalid(field, text, `${what}must be non-empty if specified`)]
    : [];
}

function isBlank(text: string): boolean {
  return text.trim() === "";
}

/** The key of an annotation is qualified by the name of the policy. */
function annotationErrors(annotations: readonly JsonObject[], policy: string): FieldError[] {
  const errors: FieldError[] = [];
  if (annotations.length > maxAnnotations) {
    const detail = `must not have more than ${maxAnnotations} auditAnnotations`;
    errors.push(
      fieldInvalid(
        annotationsField,
        typedValue("[]admissionregistration.AuditAnnotation", annotations),
        detail,
      ),
    );
  }
  const keys = annotations.map((annotation) => textAt(annotation, "key"));
  for (const [i, annotation] of annotations.entries()) {
    const at = index(annotationsField, i);
    const key = keys[i] ?? "";
    const name = `${policy}/${key}`;
    const messages = qualifiedNameMessages(name);
    errors.push(...messages.map((message) => fieldInvalid(child(at, "key"), name, message)));
    errors.push(...valueErrors(textAt(annotation, "valueExpression").trim(), child(at, "valueExpression")));
    if (keys.indexOf(key) < i) errors.push(fieldDuplicate(child(at, "key"), key));
  }
  return errors;
}

/** Upstream reports an expression that is too long as `Required`. */
function valueErrors(expression: string, field: string): FieldError[] {
  if (expression === "") return [fieldRequired(field, "valueExpression is not specified")];
  if (utf8Length(expression) <= maxValueExpressionLength) return [];
  return [fieldRequired(field, `must not exceed ${maxValueExpressionLength} bytes in length`)];
}

/** Upstream: ValidateValidatingAdmissionPolicyStatusUpdate. */
export function validatingAdmissionPolicyStatusErrors(policy: KubeObject): FieldError[] {
  const status = structAt(policy, "status");
  const warnings = listAt(status, "typeChecking", "expressionWarnings");
  return [
    ...warnings.flatMap((warning, i) => {
      const at = index("status.typeChecking.expressionWarnings", i);
      return [
        ...(textAt(warning, "warning") === "" ? [fieldRequired(child(at, "warning"))] : []),
        ...(isBlank(textAt(warning, "fieldRef")) ? [fieldRequired(child(at, "fieldRef"))] : []),
      ];
    }),
    ...conditionErrors(listAt(status, "conditions"), "status.conditions"),
  ];
}
