import {
  type FieldError,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { policySpecErrors } from "../policy/admission-policy-validation.ts";
import { mutableOperationErrors } from "../policy/mutable-operation-validation.ts";

const patchTypes = ["ApplyConfiguration", "JSONPatch"];
const reinvocationPolicies = ["IfNeeded", "Never"];

/** `old` is undefined on create. Upstream: ValidateMutatingAdmissionPolicy. */
export function mutatingAdmissionPolicyErrors(policy: KubeObject, old: KubeObject | undefined): FieldError[] {
  const spec = structAt(policy, "spec");
  const mutations = listAt(spec, "mutations");
  return [
    ...policySpecErrors(spec, old && structAt(old, "spec")),
    ...mutableOperationErrors(structAt(spec, "matchConstraints"), "spec.matchConstraints"),
    ...(mutations.length === 0
      ? [fieldRequired("spec.mutations", "mutations must contain at least one item")]
      : []),
    ...mutations.flatMap((mutation, i) => mutationErrors(mutation, index("spec.mutations", i))),
    ...reinvocationErrors(textAt(spec, "reinvocationPolicy")),
  ];
}

function reinvocationErrors(policy: string): FieldError[] {
  const field = "spec.reinvocationPolicy";
  if (policy === "") return [fieldRequired(field)];
  return reinvocationPolicies.includes(policy)
    ? []
    : [fieldNotSupported(field, policy, reinvocationPolicies)];
}

function mutationErrors(mutation: JsonObject, at: string): FieldError[] {
  const type = textAt(mutation, "patchType");
  if (type === "") return [fieldRequired(child(at, "patchType"))];
  if (!patchTypes.includes(type)) return [fieldNotSupported(child(at, "patchType"), type, patchTypes)];
  const isJsonPatch = type === "JSONPatch";
  const [required, forbidden] = isJsonPatch
    ? (["jsonPatch", "applyConfiguration"] as const)
    : (["applyConfiguration", "jsonPatch"] as const);
  return [
    ...patchErrors(objectAt(mutation, required), child(at, required), type),
    ...(mutation[forbidden] === undefined
      ? []
      : [
          fieldInvalid(
            child(at, forbidden),
            `{${forbidden}}`,
            `must not be specified when patchType is ${type}`,
          ),
        ]),
  ];
}

function patchErrors(patch: JsonObject | undefined, field: string, type: string): FieldError[] {
  if (patch === undefined) return [fieldRequired(field, `must be specified when patchType is ${type}`)];
  return textAt(patch, "expression").trim() === "" ? [fieldRequired(child(field, "expression"))] : [];
}
