import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { webhookConfigurationPrinter } from "../webhook/webhook-configuration-printer.ts";

export const mutatingWebhookConfigurationKind: KindDefinition = builtInKind({
  group: "admissionregistration.k8s.io",
  resource: "mutatingwebhookconfigurations",
  kind: "MutatingWebhookConfiguration",
  printer: webhookConfigurationPrinter,
  rules: async () =>
    (await import("./mutating-webhook-configuration-rules.ts")).mutatingWebhookConfigurationRules,
});
