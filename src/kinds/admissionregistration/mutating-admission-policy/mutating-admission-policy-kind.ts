import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { mutatingAdmissionPolicyPrinter } from "../policy/admission-policy-printer.ts";

export const mutatingAdmissionPolicyKind: KindDefinition = builtInKind({
  group: "admissionregistration.k8s.io",
  resource: "mutatingadmissionpolicies",
  kind: "MutatingAdmissionPolicy",
  printer: mutatingAdmissionPolicyPrinter,
  rules: async () => (await import("./mutating-admission-policy-rules.ts")).mutatingAdmissionPolicyRules,
});
