import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const ipAddressKind: KindDefinition = builtInKind({
  group: "networking.k8s.io",
  resource: "ipaddresses",
  kind: "IPAddress",
  printer: async () => (await import("./ip-address-printer.ts")).ipAddressPrinter,
  rules: async () => (await import("./ip-address-rules.ts")).ipAddressRules,
});
