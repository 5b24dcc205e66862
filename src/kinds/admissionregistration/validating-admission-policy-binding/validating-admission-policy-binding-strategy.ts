import { structAt, textsAt } from "../../../apimachinery/fields.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { admissionPolicyBindingStrategy } from "../policy/admission-policy-binding-strategy.ts";
import { admissionPolicyBindingErrors } from "../policy/admission-policy-binding-validation.ts";
import { validationActionErrors } from "./validation-action-validation.ts";

export function validatingAdmissionPolicyBindingStrategy(base: Strategy): Strategy {
  return admissionPolicyBindingStrategy(base, (binding) => {
    const spec = structAt(binding, "spec");
    return [
      ...admissionPolicyBindingErrors(spec),
      ...validationActionErrors(textsAt(spec, "validationActions")),
    ];
  });
}
