import { structAt, textsAt } from "../../../apimachinery/fields.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { admissionPolicyBindingStrategy } from "../policy/admission-policy-binding-strategy.ts";
import { addAdmissionPolicyBindingErrors } from "../policy/admission-policy-binding-validation.ts";
import { addValidationActionErrors } from "./validation-action-validation.ts";

export function validatingAdmissionPolicyBindingStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  return admissionPolicyBindingStrategy(base, (errors, binding) => {
    const spec = structAt(binding, "spec");
    addAdmissionPolicyBindingErrors(errors, spec);
    // Bindings of 1.26 have no actions.
    if (gates.since("1.27")) addValidationActionErrors(errors, textsAt(spec, "validationActions"));
  });
}
