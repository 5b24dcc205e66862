import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const validatingWebhookConfigurationKind: KindDefinition = builtInKind({
  group: "admissionregistration.k8s.io",
  resource: "validatingwebhookconfigurations",
  kind: "ValidatingWebhookConfiguration",
  printer: async () =>
    (await import("../webhook/webhook-configuration-printer.ts")).webhookConfigurationPrinter,
  rules: async () =>
    (await import("./validating-webhook-configuration-rules.ts")).validatingWebhookConfigurationRules,
});
