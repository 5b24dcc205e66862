import { fieldInvalid, fieldNotSupported, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Release } from "../../../apimachinery/release.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { mutationDeclarations, patchForm } from "../../../cel/mutation-types.ts";
import { addPolicySpecErrors } from "../policy/admission-policy-validation.ts";
import { addMutableOperationErrors } from "../policy/mutable-operation-validation.ts";
import { expressionsIn, PolicyExpressions } from "../policy/policy-expressions.ts";

const patchTypes = ["ApplyConfiguration", "JSONPatch"];
const reinvocationPolicies = ["IfNeeded", "Never"];

/** `old` is undefined on create. Upstream: ValidateMutatingAdmissionPolicy. */
export function addMutatingAdmissionPolicyErrors(
  errors: Findings,
  policy: KubeObject,
  old: KubeObject | undefined,
  release: Release,
): void {
  const spec = structAt(policy, "spec");
  const oldSpec = old && structAt(old, "spec");
  const mutations = listAt(spec, "mutations");
  const expressions = new PolicyExpressions(release, spec, oldSpec);
  addPolicySpecErrors(errors, spec, oldSpec, expressions);
  addMutableOperationErrors(errors, structAt(spec, "matchConstraints"), "spec.matchConstraints");
  if (mutations.length === 0) {
    errors.push(fieldRequired("spec.mutations", "mutations must contain at least one item"));
  }
  for (const [i, mutation] of mutations.entries()) {
    const at = index("spec.mutations", i);
    addMutationErrors(errors, mutation, at);
    addPatchExpressionErrors(errors, mutation, at, expressions, oldSpec);
  }
  addReinvocationErrors(errors, textAt(spec, "reinvocationPolicy"));
}

function addReinvocationErrors(errors: Findings, policy: string): void {
  const field = "spec.reinvocationPolicy";
  if (policy === "") errors.push(fieldRequired(field));
  else if (!reinvocationPolicies.includes(policy)) {
    errors.push(fieldNotSupported(field, policy, reinvocationPolicies));
  }
}

function addMutationErrors(errors: Findings, mutation: JsonObject, at: string): void {
  const type = textAt(mutation, "patchType");
  if (type === "") {
    errors.push(fieldRequired(child(at, "patchType")));
    return;
  }
  if (!patchTypes.includes(type)) {
    errors.push(fieldNotSupported(child(at, "patchType"), type, patchTypes));
    return;
  }
  const isJsonPatch = type === "JSONPatch";
  const [required, forbidden] = isJsonPatch
    ? (["jsonPatch", "applyConfiguration"] as const)
    : (["applyConfiguration", "jsonPatch"] as const);
  addPatchErrors(errors, objectAt(mutation, required), child(at, required), type);
  if (mutation[forbidden] !== undefined) {
    errors.push(
      fieldInvalid(child(at, forbidden), `{${forbidden}}`, `must not be specified when patchType is ${type}`),
    );
  }
}

function addPatchErrors(errors: Findings, patch: JsonObject | undefined, field: string, type: string): void {
  if (patch === undefined) errors.push(fieldRequired(field, `must be specified when patchType is ${type}`));
  else if (textAt(patch, "expression").trim() === "") errors.push(fieldRequired(child(field, "expression")));
}

/** Adds the errors of the expression that the type of the patch calls for. */
function addPatchExpressionErrors(
  errors: Findings,
  mutation: JsonObject,
  at: string,
  expressions: PolicyExpressions,
  old: JsonObject | undefined,
): void {
  const form = patchForm(textAt(mutation, "patchType"));
  const expression = form && textAt(mutation, form.field, "expression").trim();
  if (form === undefined || expression === undefined || expression === "") return;
  const { field, returned } = form;
  expressions.addErrors(errors, expression, expression, child(child(at, field), "expression"), {
    ...mutationDeclarations(expression),
    returned: [returned],
    stored: expressionsIn(old, "mutations", field, "expression"),
  });
}
