import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { networkingPrinters } from "../../printers/networking.ts";

export const ipAddressKind: KindDefinition = builtInKind({
  group: "networking.k8s.io",
  resource: "ipaddresses",
  kind: "IPAddress",
  printer: networkingPrinters["ipaddresses"],
  rules: async () => (await import("./ip-address-rules.ts")).ipAddressRules,
});
