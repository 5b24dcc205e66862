import { structAt } from "../../../apimachinery/fields.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { admissionPolicyBindingStrategy } from "../policy/admission-policy-binding-strategy.ts";
import {
  addAdmissionPolicyBindingErrors,
  matchResourcesField,
} from "../policy/admission-policy-binding-validation.ts";
import { addMutableOperationErrors } from "../policy/mutable-operation-validation.ts";

export function mutatingAdmissionPolicyBindingStrategy(base: Strategy): Strategy {
  return admissionPolicyBindingStrategy(base, (errors, binding) => {
    const spec = structAt(binding, "spec");
    addAdmissionPolicyBindingErrors(errors, spec);
    addMutableOperationErrors(errors, structAt(spec, "matchResources"), matchResourcesField);
  });
}
