import { fieldRequired } from "../../../apimachinery/errors/field.ts";
import { objectAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { addInvalid, type Findings } from "../../../apimachinery/validation/findings.ts";
import { dnsSubdomainMessages } from "../../../apimachinery/validation/names.ts";
import { addMatchResourcesErrors } from "../matching/match-resources-validation.ts";
import { addParamRefErrors } from "./policy-parameters.ts";

/** The misspelling is upstream's. */
export const matchResourcesField = "spec.matchResouces";

/** Validates the part of a binding's spec that validating and mutating policies share. */
export function addAdmissionPolicyBindingErrors(errors: Findings, spec: JsonObject): void {
  const paramRef = objectAt(spec, "paramRef");
  const resources = objectAt(spec, "matchResources");
  addPolicyNameErrors(errors, textAt(spec, "policyName"), "spec.policyName");
  if (paramRef !== undefined) addParamRefErrors(errors, paramRef, "spec.paramRef");
  if (resources !== undefined) addMatchResourcesErrors(errors, resources, matchResourcesField);
}

function addPolicyNameErrors(errors: Findings, name: string, field: string): void {
  if (name === "") errors.push(fieldRequired(field));
  else addInvalid(errors, field, name, dnsSubdomainMessages(name));
}
