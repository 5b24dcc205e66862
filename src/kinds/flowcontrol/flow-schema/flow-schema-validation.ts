import { fieldInvalid, fieldNotSupported, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { integerAt, listAt, objectAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { addInvalid, type Findings } from "../../../apimachinery/validation/findings.ts";
import { dnsSubdomainMessages } from "../../../apimachinery/validation/names.ts";
import { mandatoryFlowSchemas } from "../flow-control/mandatory-specs.ts";
import { addNonResourceRuleErrors, addResourceRuleErrors } from "./policy-rule-validation.ts";
import { addSubjectErrors } from "./subject-validation.ts";

const maxPrecedence = 10000;
const methods = ["ByNamespace", "ByUser"];
const precedencePath = "spec.matchingPrecedence";

/**
 * Validates the spec; that of a mandatory schema is fixed. Upstream: pkg/apis/flowcontrol/validation/validation.go,
 * ValidateFlowSchema.
 */
export function addFlowSchemaSpecErrors(errors: Findings, object: KubeObject): void {
  const { name = "" } = object.metadata;
  const spec = structAt(object, "spec");
  const fixed = mandatoryFlowSchemas.get(name);
  addPrecedenceErrors(errors, integerAt(spec, "matchingPrecedence"), name);
  addMethodErrors(errors, objectAt(spec, "distinguisherMethod"));
  addLevelErrors(errors, textAt(spec, "priorityLevelConfiguration", "name"));
  for (const [i, rule] of listAt(spec, "rules").entries()) {
    addRuleErrors(errors, rule, index("spec.rules", i));
  }
  if (fixed !== undefined && !jsonEqual(spec, fixed)) {
    errors.push(
      fieldInvalid(
        "spec",
        typedValue("flowcontrol.FlowSchemaSpec", spec),
        `spec of '${name}' must equal the fixed value`,
      ),
    );
  }
}

function addPrecedenceErrors(errors: Findings, precedence: number | bigint, name: string): void {
  const details: string[] = [];
  if (precedence <= 0) details.push("must be a positive value");
  if (precedence > maxPrecedence) details.push(`must not be greater than ${maxPrecedence}`);
  if (precedence === 1 && name !== "exempt") {
    details.push("only the schema named 'exempt' may have matchingPrecedence 1");
  }
  addInvalid(errors, precedencePath, precedence, details);
}

function addMethodErrors(errors: Findings, method: JsonObject | undefined): void {
  if (method === undefined || methods.includes(textAt(method, "type"))) return;
  const shown = typedValue("flowcontrol.FlowDistinguisherMethod", method);
  errors.push(fieldNotSupported("spec.distinguisherMethod.type", shown, methods));
}

function addLevelErrors(errors: Findings, level: string): void {
  const field = "spec.priorityLevelConfiguration.name";
  if (level === "") errors.push(fieldRequired(field, "must reference a priority level"));
  else addInvalid(errors, field, level, dnsSubdomainMessages(level));
}

function addRuleErrors(errors: Findings, rule: JsonObject, at: string): void {
  const subjects = listAt(rule, "subjects");
  const resourceRules = listAt(rule, "resourceRules");
  const nonResourceRules = listAt(rule, "nonResourceRules");
  const isEmpty = resourceRules.length + nonResourceRules.length === 0;
  if (subjects.length <= 0) {
    errors.push(fieldRequired(child(at, "subjects"), "subjects must contain at least one value"));
  }
  for (const [i, subject] of subjects.entries()) {
    addSubjectErrors(errors, subject, index(child(at, "subjects"), i));
  }
  if (isEmpty) {
    errors.push(fieldRequired(at, "at least one of resourceRules and nonResourceRules has to be non-empty"));
  }
  for (const [i, inner] of resourceRules.entries()) {
    addResourceRuleErrors(errors, inner, index(child(at, "resourceRules"), i));
  }
  for (const [i, inner] of nonResourceRules.entries()) {
    addNonResourceRuleErrors(errors, inner, index(child(at, "nonResourceRules"), i));
  }
}
