import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const mutatingAdmissionPolicyBindingKind: KindDefinition = builtInKind({
  group: "admissionregistration.k8s.io",
  resource: "mutatingadmissionpolicybindings",
  kind: "MutatingAdmissionPolicyBinding",
  rules: async () =>
    (await import("./mutating-admission-policy-binding-rules.ts")).mutatingAdmissionPolicyBindingRules,
});
