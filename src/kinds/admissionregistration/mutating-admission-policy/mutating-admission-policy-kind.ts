import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const mutatingAdmissionPolicyKind: KindDefinition = builtInKind({
  group: "admissionregistration.k8s.io",
  resource: "mutatingadmissionpolicies",
  kind: "MutatingAdmissionPolicy",
  printer: async () => (await import("../policy/admission-policy-printer.ts")).mutatingAdmissionPolicyPrinter,
  rules: async () => (await import("./mutating-admission-policy-rules.ts")).mutatingAdmissionPolicyRules,
});
