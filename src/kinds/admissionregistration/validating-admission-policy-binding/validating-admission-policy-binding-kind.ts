import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { admissionRegistrationPrinters } from "../../printers/admissionregistration.ts";

export const validatingAdmissionPolicyBindingKind: KindDefinition = builtInKind({
  group: "admissionregistration.k8s.io",
  resource: "validatingadmissionpolicybindings",
  kind: "ValidatingAdmissionPolicyBinding",
  printer: admissionRegistrationPrinters["validatingadmissionpolicybindings"],
  rules: async () =>
    (await import("./validating-admission-policy-binding-rules.ts")).validatingAdmissionPolicyBindingRules,
});
