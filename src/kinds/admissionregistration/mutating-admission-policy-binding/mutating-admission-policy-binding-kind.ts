import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const mutatingAdmissionPolicyBindingKind: KindDefinition = builtInKind({
  group: "admissionregistration.k8s.io",
  resource: "mutatingadmissionpolicybindings",
  kind: "MutatingAdmissionPolicyBinding",
  printer: async () =>
    (await import("../policy/admission-policy-binding-printer.ts")).admissionPolicyBindingPrinter,
  rules: async () =>
    (await import("./mutating-admission-policy-binding-rules.ts")).mutatingAdmissionPolicyBindingRules,
});
