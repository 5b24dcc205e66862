import { fieldInvalid, fieldNotSupported, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt, sizeAt, textAt } from "../../../apimachinery/fields.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { addMatchConditionErrors } from "../matching/match-conditions-validation.ts";
import { addMatchResourcesErrors } from "../matching/match-resources-validation.ts";
import { expressionsIn, type PolicyExpressions } from "./policy-expressions.ts";
import { addParamKindErrors } from "./policy-parameters.ts";

const failurePolicies = ["Fail", "Ignore"];
const identifier = /^[_a-zA-Z][_a-zA-Z0-9]*$/;
const reserved: ReadonlySet<string> = new Set([
  ..."true false null in as break const continue else for function if import let loop".split(" "),
  ..."package namespace return var void while".split(" "),
]);

/**
 * Validates the part of the spec that validating and mutating policies share. Match conditions that are equal to those of `old` are
 * not validated again.
 */
export function addPolicySpecErrors(
  errors: Findings,
  spec: JsonObject,
  old: JsonObject | undefined,
  expressions: PolicyExpressions,
): void {
  const paramKind = objectAt(spec, "paramKind");
  const conditions = listAt(spec, "matchConditions");
  addFailurePolicyErrors(errors, textAt(spec, "failurePolicy"));
  if (paramKind !== undefined) addParamKindErrors(errors, paramKind, "spec.paramKind");
  addConstraintErrors(errors, objectAt(spec, "matchConstraints"), "spec.matchConstraints");
  if (!hasSameConditions(spec, old)) {
    const { release, hasParams } = expressions;
    const stored = expressionsIn(old, "matchConditions", "expression");
    const conditionExpressions = { release, hasParams, stored };
    addMatchConditionErrors(errors, conditions, "spec.matchConditions", conditionExpressions);
  }
  for (const [i, variable] of listAt(spec, "variables").entries()) {
    addVariableErrors(errors, variable, index("spec.variables", i), expressions);
  }
}

function addFailurePolicyErrors(errors: Findings, policy: string): void {
  const field = "spec.failurePolicy";
  if (!failurePolicies.includes(policy)) errors.push(fieldNotSupported(field, policy, failurePolicies));
}

/** `resourceRules` are required, because type checking needs the resources. */
function addConstraintErrors(errors: Findings, constraints: JsonObject | undefined, field: string): void {
  if (constraints === undefined) {
    errors.push(fieldRequired(field));
    return;
  }
  addMatchResourcesErrors(errors, constraints, field);
  if (sizeAt(constraints, "resourceRules") <= 0) errors.push(fieldRequired(child(field, "resourceRules")));
}

function hasSameConditions(spec: JsonObject, old: JsonObject | undefined): boolean {
  if (old === undefined) return false;
  return ["paramKind", "matchConditions"].every((name) => jsonEqual(spec[name] ?? null, old[name] ?? null));
}

function addVariableErrors(
  errors: Findings,
  variable: JsonObject,
  at: string,
  expressions: PolicyExpressions,
): void {
  addVariableNameErrors(errors, textAt(variable, "name"), child(at, "name"));
  if (textAt(variable, "expression").trim() === "") {
    errors.push(fieldRequired(child(at, "expression"), "expression is not specified"));
  } else expressions.addVariableErrors(errors, variable, child(at, "expression"));
}

function addVariableNameErrors(errors: Findings, name: string, field: string): void {
  if (name.trim() === "") {
    errors.push(fieldRequired(field, "name is not specified"));
    return;
  }
  if (identifier.test(name) && !reserved.has(name)) return;
  errors.push(fieldInvalid(field, name, "name is not a valid CEL identifier"));
}
