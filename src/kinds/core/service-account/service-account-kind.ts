import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { newerServiceAccountPrinter, serviceAccountPrinter } from "./service-account-printer.ts";

export const serviceAccountKind: KindDefinition = builtInKind({
  group: "",
  resource: "serviceaccounts",
  kind: "ServiceAccount",
  newerPrinter: { since: "1.35", printer: newerServiceAccountPrinter },
  printer: serviceAccountPrinter,
  rules: async () => (await import("./service-account-rules.ts")).serviceAccountRules,
});
