import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { admissionRegistrationPrinters } from "../../printers/admissionregistration.ts";

export const validatingAdmissionPolicyKind: KindDefinition = builtInKind({
  group: "admissionregistration.k8s.io",
  resource: "validatingadmissionpolicies",
  kind: "ValidatingAdmissionPolicy",
  printer: admissionRegistrationPrinters["validatingadmissionpolicies"],
  rules: async () => (await import("./validating-admission-policy-rules.ts")).validatingAdmissionPolicyRules,
});
