import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { admissionRegistrationPrinters } from "../../printers/admissionregistration.ts";

export const mutatingAdmissionPolicyBindingKind: KindDefinition = builtInKind({
  group: "admissionregistration.k8s.io",
  resource: "mutatingadmissionpolicybindings",
  kind: "MutatingAdmissionPolicyBinding",
  printer: admissionRegistrationPrinters["mutatingadmissionpolicybindings"],
  rules: async () =>
    (await import("./mutating-admission-policy-binding-rules.ts")).mutatingAdmissionPolicyBindingRules,
});
