import {
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
import { addConditionErrors } from "../../../apimachinery/validation/condition-validation.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { addInvalid, type Findings } from "../../../apimachinery/validation/findings.ts";
import { qualifiedNameMessages } from "../../../apimachinery/validation/qualified-names.ts";
import { repeats } from "../../../apimachinery/validation/repeats.ts";
import { addPolicySpecErrors } from "../policy/admission-policy-validation.ts";

const reasons = ["Forbidden", "Invalid", "RequestEntityTooLarge"];
const maxAnnotations = 20;
const maxValueExpressionLength = 5 * 1024;
const annotationsField = "spec.auditAnnotations";

/** `old` is undefined on create. Upstream: ValidateValidatingAdmissionPolicy. */
export function addValidatingAdmissionPolicyErrors(
  errors: Findings,
  policy: KubeObject,
  old: KubeObject | undefined,
): void {
  const spec = structAt(policy, "spec");
  const validations = listAt(spec, "validations");
  const annotations = listAt(spec, "auditAnnotations");
  addPolicySpecErrors(errors, spec, old && structAt(old, "spec"));
  if (validations.length + annotations.length === 0) {
    const detail = "validations or auditAnnotations must contain at least one item";
    errors.push(fieldRequired("spec.validations", detail));
    errors.push(fieldRequired(annotationsField, detail));
    return;
  }
  for (const [i, validation] of validations.entries()) {
    addValidationErrors(errors, validation, index("spec.validations", i));
  }
  addAnnotationErrors(errors, annotations, policy.metadata.name ?? "");
}

function addValidationErrors(errors: Findings, validation: JsonObject, at: string): void {
  const reason = validation["reason"];
  if (isBlank(textAt(validation, "expression"))) {
    errors.push(fieldRequired(child(at, "expression"), "expression is not specified"));
  }
  addBlankErrors(errors, textAt(validation, "messageExpression"), child(at, "messageExpression"), "");
  addMessageErrors(errors, textAt(validation, "message"), child(at, "message"));
  if (reason !== undefined && !reasons.includes(String(reason))) {
    errors.push(fieldNotSupported(child(at, "reason"), reason, reasons));
  }
}

function addMessageErrors(errors: Findings, message: string, field: string): void {
  if (isBlank(message)) addBlankErrors(errors, message, field, "message ");
  else if (/[\n\r]/.test(message.trim())) {
    errors.push(fieldInvalid(field, message, "message must not contain line breaks"));
  }
}

function addBlankErrors(errors: Findings, text: string, field: string, what: string): void {
  if (text !== "" && isBlank(text)) {
    errors.push(fieldInvalid(field, text, `${what}must be non-empty if specified`));
  }
}

function isBlank(text: string): boolean {
  return text.trim() === "";
}

/** The key of an annotation is qualified by the name of the policy. */
function addAnnotationErrors(errors: Findings, annotations: readonly JsonObject[], policy: string): void {
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
  const isRepeated = repeats(keys);
  for (const [i, annotation] of annotations.entries()) {
    const at = index(annotationsField, i);
    const key = keys[i] ?? "";
    const name = `${policy}/${key}`;
    const messages = qualifiedNameMessages(name);
    addInvalid(errors, child(at, "key"), name, messages);
    addValueErrors(errors, textAt(annotation, "valueExpression").trim(), child(at, "valueExpression"));
    if (isRepeated[i]) errors.push(fieldDuplicate(child(at, "key"), key));
  }
}

/** Upstream reports an expression that is too long as `Required`. */
function addValueErrors(errors: Findings, expression: string, field: string): void {
  if (expression === "") {
    errors.push(fieldRequired(field, "valueExpression is not specified"));
    return;
  }
  if (utf8Length(expression) <= maxValueExpressionLength) return;
  errors.push(fieldRequired(field, `must not exceed ${maxValueExpressionLength} bytes in length`));
}

/** Upstream: ValidateValidatingAdmissionPolicyStatusUpdate. */
export function addValidatingAdmissionPolicyStatusErrors(errors: Findings, policy: KubeObject): void {
  const status = structAt(policy, "status");
  const warnings = listAt(status, "typeChecking", "expressionWarnings");
  for (const [i, warning] of warnings.entries()) {
    const at = index("status.typeChecking.expressionWarnings", i);
    if (textAt(warning, "warning") === "") errors.push(fieldRequired(child(at, "warning")));
    if (isBlank(textAt(warning, "fieldRef"))) errors.push(fieldRequired(child(at, "fieldRef")));
  }
  addConditionErrors(errors, listAt(status, "conditions"), "status.conditions");
}
