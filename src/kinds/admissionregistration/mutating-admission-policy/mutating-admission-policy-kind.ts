import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { admissionRegistrationPrinters } from "../../printers/admissionregistration.ts";

export const mutatingAdmissionPolicyKind: KindDefinition = builtInKind({
  group: "admissionregistration.k8s.io",
  resource: "mutatingadmissionpolicies",
  kind: "MutatingAdmissionPolicy",
  printer: admissionRegistrationPrinters["mutatingadmissionpolicies"],
  rules: async () => (await import("./mutating-admission-policy-rules.ts")).mutatingAdmissionPolicyRules,
});
