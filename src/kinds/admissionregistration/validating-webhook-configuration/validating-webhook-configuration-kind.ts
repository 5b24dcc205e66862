import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { admissionRegistrationPrinters } from "../../printers/admissionregistration.ts";

export const validatingWebhookConfigurationKind: KindDefinition = builtInKind({
  group: "admissionregistration.k8s.io",
  resource: "validatingwebhookconfigurations",
  kind: "ValidatingWebhookConfiguration",
  printer: admissionRegistrationPrinters["validatingwebhookconfigurations"],
  rules: async () =>
    (await import("./validating-webhook-configuration-rules.ts")).validatingWebhookConfigurationRules,
});
