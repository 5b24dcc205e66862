import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { admissionPolicyDefaults } from "../policy/admission-policy-defaults.ts";
import {
  validatingAdmissionPolicyStatusStrategy,
  validatingAdmissionPolicyStrategy,
} from "./validating-admission-policy-strategy.ts";

export const validatingAdmissionPolicyRules: BuiltInRules<"validatingadmissionpolicies"> = {
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
