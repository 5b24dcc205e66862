import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { admissionPolicyDefaults } from "../policy/admission-policy-defaults.ts";
import {
  validatingAdmissionPolicyStatusStrategy,
  validatingAdmissionPolicyStrategy,
} from "./validating-admission-policy-strategy.ts";

export const validatingAdmissionPolicyRules: KindRules<"validatingadmissionpolicies"> = {
  strategy: validatingAdmissionPolicyStrategy,
  versions: {
    "admissionregistration.k8s.io/v1": { defaults: admissionPolicyDefaults },
    "admissionregistration.k8s.io/v1alpha1": { defaults: admissionPolicyDefaults },
    "admissionregistration.k8s.io/v1beta1": { defaults: admissionPolicyDefaults },
  },
  subresources: {
    status: { strategy: validatingAdmissionPolicyStatusStrategy },
  },
};
