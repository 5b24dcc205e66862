import {
  type FieldError,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt, sizeAt, textAt } from "../../../apimachinery/fields.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { matchConditionErrors } from "../matching/match-conditions-validation.ts";
import { matchResourcesErrors } from "../matching/match-resources-validation.ts";
import { paramKindErrors } from "./policy-parameters.ts";

const failurePolicies = ["Fail", "Ignore"];
const identifier = /^[_a-zA-Z][_a-zA-Z0-9]*$/;
const reserved: ReadonlySet<string> = new Set([
  ..."true false null in as break const continue else for function if import let loop".split(" "),
  ..."package namespace return var void while".split(" "),
]);

/**
 * Validates the part of the spec that validating and mutating policies share, except for the compilation of
 * expressions. Match conditions that are equal to those of `old` are not validated again.
 */
export function policySpecErrors(spec: JsonObject, old: JsonObject | undefined): FieldError[] {
  const paramKind = objectAt(spec, "paramKind");
  const conditions = listAt(spec, "matchConditions");
  return [
    ...failurePolicyErrors(textAt(spec, "failurePolicy")),
    ...(paramKind === undefined ? [] : paramKindErrors(paramKind, "spec.paramKind")),
    ...constraintErrors(objectAt(spec, "matchConstraints"), "spec.matchConstraints"),
    ...(hasSameConditions(spec, old) ? [] : matchConditionErrors(conditions, "spec.matchConditions")),
    ...listAt(spec, "variables").flatMap((variable, i) =>
      variableErrors(variable, index("spec.variables", i)),
    ),
  ];
}

function failurePolicyErrors(policy: string): FieldError[] {
  const field = "spec.failurePolicy";
  return failurePolicies.includes(policy) ? [] : [fieldNotSupported(field, policy, failurePolicies)];
}

/** `resourceRules` are required, because type checking needs the resources. */
function constraintErrors(constraints: JsonObject | undefined, field: string): FieldError[] {
  if (constraints === undefined) return [fieldRequired(field)];
  const errors = matchResourcesErrors(constraints, field);
  return sizeAt(constraints, "resourceRules") > 0
    ? errors
    : [...errors, fieldRequired(child(field, "resourceRules"))];
}

function hasSameConditions(spec: JsonObject, old: JsonObject | undefined): boolean {
  if (old === undefined) return false;
  return ["paramKind", "matchConditions"].every((name) => jsonEqual(spec[name] ?? null, old[name] ?? null));
}

function variableErrors(variable: JsonObject, at: string): FieldError[] {
  return [
    ...variableNameErrors(textAt(variable, "name"), child(at, "name")),
    ...(textAt(variable, "expression").trim() === ""
      ? [fieldRequired(child(at, "expression"), "expression is not specified")]
      : []),
  ];
}

function variableNameErrors(name: string, field: string): FieldError[] {
  if (name.trim() === "") return [fieldRequired(field, "name is not specified")];
  if (identifier.test(name) && !reserved.has(name)) return [];
  return [fieldInvalid(field, name, "name is not a valid CEL identifier")];
}
