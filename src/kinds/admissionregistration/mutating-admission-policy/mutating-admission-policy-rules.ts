import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { admissionPolicyDefaults } from "../policy/admission-policy-defaults.ts";
import { mutatingAdmissionPolicyStrategy } from "./mutating-admission-policy-strategy.ts";

export const mutatingAdmissionPolicyRules: KindRules<"mutatingadmissionpolicies"> = {
  strategy: mutatingAdmissionPolicyStrategy,
  versions: {
    "admissionregistration.k8s.io/v1": { defaults: admissionPolicyDefaults },
    "admissionregistration.k8s.io/v1alpha1": { defaults: admissionPolicyDefaults },
    "admissionregistration.k8s.io/v1beta1": { defaults: admissionPolicyDefaults },
  },
};
