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
import type { Release } from "../../../apimachinery/release.ts";
import { utf8Length } from "../../../apimachinery/utf8.ts";
import { addConditionErrors } from "../../../apimachinery/validation/condition-validation.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { addInvalid, type Findings } from "../../../apimachinery/validation/findings.ts";
import { qualifiedNameMessages } from "../../../apimachinery/validation/qualified-names.ts";
import { repeats } from "../../../apimachinery/validation/repeats.ts";
import { types } from "../../../cel/types/cel-type.ts";
import { addPolicySpecErrors } from "../policy/admission-policy-validation.ts";
import { expressionsIn, PolicyExpressions } from "../policy/policy-expressions.ts";

const reasons = ["Forbidden", "Invalid", "RequestEntityTooLarge"];
const maxAnnotations = 20;
const maxValueExpressionLength = 5 * 1024;
const annotationsField = "spec.auditAnnotations";

/** `old` is undefined on create. Upstream: ValidateValidatingAdmissionPolicy. */
export function addValidatingAdmissionPolicyErrors(
  errors: Findings,
  policy: KubeObject,
  old: KubeObject | undefined,
  release: Release,
): void {
  const spec = structAt(policy, "spec");
  const oldSpec = old && structAt(old, "spec");
  const expressions = new PolicyExpressions(release, spec, oldSpec);
  const validations = listAt(spec, "validations");
  const annotations = listAt(spec, "auditAnnotations");
  addPolicySpecErrors(errors, spec, oldSpec, expressions);
  if (validations.length + annotations.length === 0) {
    const detail = "validations or auditAnnotations must contain at least one item";
    errors.push(fieldRequired("spec.validations", detail));
    errors.push(fieldRequired(annotationsField, detail));
    return;
  }
  const stored: StoredExpressions = {
    validations: new Set([
      ...expressionsIn(oldSpec, "validations", "expression"),
      ...expressionsIn(oldSpec, "variables", "expression"),
    ]),
    messages: expressionsIn(oldSpec, "validations", "messageExpression"),
    annotations: expressionsIn(oldSpec, "auditAnnotations", "valueExpression"),
  };
  for (const [i, validation] of validations.entries()) {
    addValidationErrors(errors, validation, index("spec.validations", i), expressions, stored);
  }
  addAnnotationErrors(errors, annotations, policy.metadata.name ?? "", expressions, stored);
}

/** The expressions of the stored policy. */
interface StoredExpressions {
  readonly validations: ReadonlySet<string>;
  readonly messages: ReadonlySet<string>;
  readonly annotations: ReadonlySet<string>;
}

function addValidationErrors(
  errors: Findings,
  validation: JsonObject,
  at: string,
  expressions: PolicyExpressions,
  stored: StoredExpressions,
): void {
  const reason = validation["reason"];
  const expression = textAt(validation, "expression");
  const message = textAt(validation, "messageExpression");
  if (isBlank(expression)) {
    errors.push(fieldRequired(child(at, "expression"), "expression is not specified"));
  } else {
    const expected = { returned: [types.bool], stored: stored.validations };
    expressions.addErrors(errors, expression, expression, child(at, "expression"), expected);
  }
  if (isBlank(message)) addBlankErrors(errors, message, child(at, "messageExpression"), "");
  else {
    const expected = { returned: [types.string], stored: stored.messages, hasAuthorizer: false };
    expressions.addErrors(errors, message, message, child(at, "messageExpression"), expected);
  }
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
function addAnnotationErrors(
  errors: Findings,
  annotations: readonly JsonObject[],
  policy: string,
  expressions: PolicyExpressions,
  stored: StoredExpressions,
): void {
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
    const value = textAt(annotation, "valueExpression");
    addValueErrors(errors, value, child(at, "valueExpression"), expressions, stored.annotations);
    if (isRepeated[i]) errors.push(fieldDuplicate(child(at, "key"), key));
  }
}

/** Upstream reports an expression that is too long as `Required`. */
function addValueErrors(
  errors: Findings,
  value: string,
  field: string,
  expressions: PolicyExpressions,
  stored: ReadonlySet<string>,
): void {
  const expression = value.trim();
  if (expression === "") errors.push(fieldRequired(field, "valueExpression is not specified"));
  else if (utf8Length(expression) > maxValueExpressionLength) {
    errors.push(fieldRequired(field, `must not exceed ${maxValueExpressionLength} bytes in length`));
  } else {
    const expected = { returned: [types.string, types.null], stored };
    expressions.addErrors(errors, expression, value, field, expected);
  }
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
