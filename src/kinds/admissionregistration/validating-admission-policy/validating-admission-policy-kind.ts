import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const validatingAdmissionPolicyKind: KindDefinition = builtInKind({
  group: "admissionregistration.k8s.io",
  resource: "validatingadmissionpolicies",
  kind: "ValidatingAdmissionPolicy",
  printer: async () =>
    (await import("../policy/admission-policy-printer.ts")).validatingAdmissionPolicyPrinter,
  rules: async () => (await import("./validating-admission-policy-rules.ts")).validatingAdmissionPolicyRules,
});
