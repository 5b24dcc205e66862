import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { admissionPolicyDefaults } from "../policy/admission-policy-defaults.ts";
import { mutatingAdmissionPolicyStrategy } from "./mutating-admission-policy-strategy.ts";

export const mutatingAdmissionPolicyRules: BuiltInRules<"mutatingadmissionpolicies"> = {
  strategy: mutatingAdmissionPolicyStrategy,
  versions: {
    "admissionregistration.k8s.io/v1": { defaults: admissionPolicyDefaults },
    "admissionregistration.k8s.io/v1alpha1": { defaults: admissionPolicyDefaults },
    "admissionregistration.k8s.io/v1beta1": { defaults: admissionPolicyDefaults },
  },
};
