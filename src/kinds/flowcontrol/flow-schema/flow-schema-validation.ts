import {
  type FieldError,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { integerAt, listAt, objectAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { dnsSubdomainMessages } from "../../../apimachinery/validation/names.ts";
import { mandatoryFlowSchemas } from "../flow-control/mandatory-specs.ts";
import { nonResourceRuleErrors, resourceRuleErrors } from "./policy-rule-validation.ts";
import { subjectErrors } from "./subject-validation.ts";

const maxPrecedence = 10000;
const methods = ["ByNamespace", "ByUser"];
const precedencePath = "spec.matchingPrecedence";

/**
 * Validates the spec; that of a mandatory schema is fixed. Upstream: pkg/apis/flowcontrol/validation/validation.go,
 * ValidateFlowSchema.
 */
export function flowSchemaSpecErrors(object: KubeObject): FieldError[] {
  const { name = "" } = object.metadata;
  const spec = structAt(object, "spec");
  const fixed = mandatoryFlowSchemas.get(name);
  return [
    ...precedenceErrors(integerAt(spec, "matchingPrecedence"), name),
    ...methodErrors(objectAt(spec, "distinguisherMethod")),
    ...levelErrors(textAt(spec, "priorityLevelConfiguration", "name")),
    ...listAt(spec, "rules").flatMap((rule, i) => ruleErrors(rule, index("spec.rules", i))),
    ...(fixed === undefined || jsonEqual(spec, fixed)
      ? []
      : [
          fieldInvalid(
            "spec",
            typedValue("flowcontrol.FlowSchemaSpec", spec),
            `spec of '${name}' must equal the fixed value`,
          ),
        ]),
  ];
}

function precedenceErrors(precedence: number | bigint, name: string): FieldError[] {
  const details: string[] = [];
  if (precedence <= 0) details.push("must be a positive value");
  if (precedence > maxPrecedence) details.push(`must not be greater than ${maxPrecedence}`);
  if (precedence === 1 && name !== "exempt") {
    details.push("only the schema named 'exempt' may have matchingPrecedence 1");
  }
  return details.map((detail) => fieldInvalid(precedencePath, precedence, detail));
}

function methodErrors(method: JsonObject | undefined): FieldError[] {
  if (method === undefined || methods.includes(textAt(method, "type"))) return [];
  const shown = typedValue("flowcontrol.FlowDistinguisherMethod", method);
  return [fieldNotSupported("spec.distinguisherMethod.type", shown, methods)];
}

function levelErrors(level: string): FieldError[] {
  const field = "spec.priorityLevelConfiguration.name";
  if (level === "") return [fieldRequired(field, "must reference a priority level")];
  return dnsSubdomainMessages(level).map((message) => fieldInvalid(field, level, message));
}

function ruleErrors(rule: JsonObject, at: string): FieldError[] {
  const subjects = listAt(rule, "subjects");
  const resourceRules = listAt(rule, "resourceRules");
  const nonResourceRules = listAt(rule, "nonResourceRules");
  const isEmpty = resourceRules.length + nonResourceRules.length === 0;
  return [
    ...(subjects.length > 0
      ? []
      : [fieldRequired(child(at, "subjects"), "subjects must contain at least one value")]),
    ...subjects.flatMap((subject, i) => subjectErrors(subject, index(child(at, "subjects"), i))),
    ...(isEmpty
      ? [fieldRequired(at, "at least one of resourceRules and nonResourceRules has to be non-empty")]
      : []),
    ...resourceRules.flatMap((inner, i) => resourceRuleErrors(inner, index(child(at, "resourceRules"), i))),
    ...nonResourceRules.flatMap((inner, i) =>
      nonResourceRuleErrors(inner, index(child(at, "nonResourceRules"), i)),
    ),
  ];
}
