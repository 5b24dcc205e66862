import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import {
  admissionPolicyBindingDefaults,
  alphaAdmissionPolicyBindingDefaults,
} from "../policy/admission-policy-binding-defaults.ts";
import { mutatingAdmissionPolicyBindingStrategy } from "./mutating-admission-policy-binding-strategy.ts";

export const mutatingAdmissionPolicyBindingRules: BuiltInRules<"mutatingadmissionpolicybindings"> = {
  strategy: mutatingAdmissionPolicyBindingStrategy,
  versions: {
    "admissionregistration.k8s.io/v1": { defaults: admissionPolicyBindingDefaults },
    "admissionregistration.k8s.io/v1alpha1": { defaults: alphaAdmissionPolicyBindingDefaults },
    "admissionregistration.k8s.io/v1beta1": { defaults: admissionPolicyBindingDefaults },
  },
};
