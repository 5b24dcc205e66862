import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { admissionRegistrationPrinters } from "../../printers/admissionregistration.ts";

export const mutatingWebhookConfigurationKind: KindDefinition = builtInKind({
  group: "admissionregistration.k8s.io",
  resource: "mutatingwebhookconfigurations",
  kind: "MutatingWebhookConfiguration",
  printer: admissionRegistrationPrinters["mutatingwebhookconfigurations"],
  rules: async () =>
    (await import("./mutating-webhook-configuration-rules.ts")).mutatingWebhookConfigurationRules,
});
