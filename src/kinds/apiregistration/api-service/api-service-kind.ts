import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const apiServiceKind: KindDefinition = builtInKind({
  group: "apiregistration.k8s.io",
  resource: "apiservices",
  kind: "APIService",
  printer: async () => (await import("./api-service-printer.ts")).apiServicePrinter,
  rules: async () => (await import("./api-service-rules.ts")).apiServiceRules,
});
