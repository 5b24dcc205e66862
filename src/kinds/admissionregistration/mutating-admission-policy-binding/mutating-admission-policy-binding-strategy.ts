import { structAt } from "../../../apimachinery/fields.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { admissionPolicyBindingStrategy } from "../policy/admission-policy-binding-strategy.ts";
import {
  admissionPolicyBindingErrors,
  matchResourcesField,
} from "../policy/admission-policy-binding-validation.ts";
import { mutableOperationErrors } from "../policy/mutable-operation-validation.ts";

export function mutatingAdmissionPolicyBindingStrategy(base: Strategy): Strategy {
  return admissionPolicyBindingStrategy(base, (binding) => {
    const spec = structAt(binding, "spec");
    return [
      ...admissionPolicyBindingErrors(spec),
      ...mutableOperationErrors(structAt(spec, "matchResources"), matchResourcesField),
    ];
  });
}
