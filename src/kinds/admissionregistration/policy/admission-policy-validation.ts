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
 * What is wrong with what validating and mutating policies have in common, but for what only a compiler can tell of
 * expressions: what they are for, under which conditions, and by which variables. Conditions that are as they were in
 * `old` are not looked at again.
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

/** A policy has to name resources, for they tell the types of its variables. */
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
