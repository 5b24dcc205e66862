import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { apiregistrationPrinters } from "../../printers/machinery.ts";

export const apiServiceKind: KindDefinition = builtInKind({
  group: "apiregistration.k8s.io",
  resource: "apiservices",
  kind: "APIService",
  printer: apiregistrationPrinters["apiservices"],
  rules: async () => (await import("./api-service-rules.ts")).apiServiceRules,
});
