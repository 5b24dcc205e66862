import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { admissionPolicyDefaults } from "../admissionregistration-defaults.ts";
import { mutatingAdmissionPolicyStrategy } from "../policy/mutating-admission-policy.ts";

export const mutatingAdmissionPolicyRules: KindRules<"mutatingadmissionpolicies"> = {
  strategy: mutatingAdmissionPolicyStrategy,
  versions: {
    "admissionregistration.k8s.io/v1": { defaults: admissionPolicyDefaults },
    "admissionregistration.k8s.io/v1alpha1": { defaults: admissionPolicyDefaults },
    "admissionregistration.k8s.io/v1beta1": { defaults: admissionPolicyDefaults },
  },
};
