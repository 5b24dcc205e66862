import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const serviceAccountKind: KindDefinition = builtInKind({
  group: "",
  resource: "serviceaccounts",
  kind: "ServiceAccount",
  printer: async (_version, { since }) => {
    const printers = await import("./service-account-printer.ts");
    return since("1.35") ? printers.newerServiceAccountPrinter : printers.serviceAccountPrinter;
  },
  rules: async () => (await import("./service-account-rules.ts")).serviceAccountRules,
});
