import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { networkingPrinters } from "../../printers/networking.ts";

export const serviceCidrKind: KindDefinition = builtInKind({
  group: "networking.k8s.io",
  resource: "servicecidrs",
  kind: "ServiceCIDR",
  printer: networkingPrinters["servicecidrs"],
  rules: async () => (await import("./service-cidr-rules.ts")).serviceCidrRules,
});
