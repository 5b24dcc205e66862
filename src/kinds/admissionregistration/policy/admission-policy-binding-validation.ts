import { type FieldError, fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { objectAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { dnsSubdomainMessages } from "../../../apimachinery/validation/names.ts";
import { matchResourcesErrors } from "../matching/match-resources-validation.ts";
import { paramRefErrors } from "./policy-parameters.ts";

/** The misspelling is upstream's. */
export const matchResourcesField = "spec.matchResouces";

/** The part of a binding's spec that validating and mutating policies share. */
export function admissionPolicyBindingErrors(spec: JsonObject): FieldError[] {
  const paramRef = objectAt(spec, "paramRef");
  const resources = objectAt(spec, "matchResources");
  return [
    ...policyNameErrors(textAt(spec, "policyName"), "spec.policyName"),
    ...(paramRef === undefined ? [] : paramRefErrors(paramRef, "spec.paramRef")),
    ...(resources === undefined ? [] : matchResourcesErrors(resources, matchResourcesField)),
  ];
}

function policyNameErrors(name: string, field: string): FieldError[] {
  if (name === "") return [fieldRequired(field)];
  return dnsSubdomainMessages(name).map((message) => fieldInvalid(field, name, message));
}
