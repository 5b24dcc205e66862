import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const serviceKind: KindDefinition = builtInKind({
  group: "",
  resource: "services",
  kind: "Service",
  printer: async () => (await import("./service-printer.ts")).servicePrinter,
  quota: async () => (await import("./service-quota.ts")).serviceQuota,
  rules: async () => (await import("./service-rules.ts")).serviceRules,
});
