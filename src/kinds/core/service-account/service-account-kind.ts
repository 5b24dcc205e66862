import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { corePrinters, serviceAccountPrinter } from "../../printers/core.ts";

export const serviceAccountKind: KindDefinition = builtInKind({
  group: "",
  resource: "serviceaccounts",
  kind: "ServiceAccount",
  newerPrinter: { since: "1.35", printer: serviceAccountPrinter },
  printer: corePrinters["serviceaccounts"],
  rules: async () => (await import("./service-account-rules.ts")).serviceAccountRules,
});
