import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const validatingAdmissionPolicyBindingKind: KindDefinition = builtInKind({
  group: "admissionregistration.k8s.io",
  resource: "validatingadmissionpolicybindings",
  kind: "ValidatingAdmissionPolicyBinding",
  printer: async () =>
    (await import("../policy/admission-policy-binding-printer.ts")).admissionPolicyBindingPrinter,
  rules: async () =>
    (await import("./validating-admission-policy-binding-rules.ts")).validatingAdmissionPolicyBindingRules,
});
