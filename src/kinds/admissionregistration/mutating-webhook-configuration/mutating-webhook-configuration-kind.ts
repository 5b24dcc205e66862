import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const mutatingWebhookConfigurationKind: KindDefinition = builtInKind({
  group: "admissionregistration.k8s.io",
  resource: "mutatingwebhookconfigurations",
  kind: "MutatingWebhookConfiguration",
  printer: async () =>
    (await import("../webhook/webhook-configuration-printer.ts")).webhookConfigurationPrinter,
  rules: async () =>
    (await import("./mutating-webhook-configuration-rules.ts")).mutatingWebhookConfigurationRules,
});
