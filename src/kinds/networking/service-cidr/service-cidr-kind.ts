import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const serviceCidrKind: KindDefinition = builtInKind({
  group: "networking.k8s.io",
  resource: "servicecidrs",
  kind: "ServiceCIDR",
  printer: async () => (await import("./service-cidr-printer.ts")).serviceCidrPrinter,
  rules: async () => (await import("./service-cidr-rules.ts")).serviceCidrRules,
});
