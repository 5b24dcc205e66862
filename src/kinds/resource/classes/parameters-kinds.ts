import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

const printer = async () => (await import("./parameters-printer.ts")).parametersPrinter;

export const resourceClaimParametersKind: KindDefinition = builtInKind({
  group: "resource.k8s.io",
  resource: "resourceclaimparameters",
  kind: "ResourceClaimParameters",
  printer,
  rules: async () => ({ strategy: (await import("./parameters-strategies.ts")).claimParametersStrategy }),
});

export const resourceClassParametersKind: KindDefinition = builtInKind({
  group: "resource.k8s.io",
  resource: "resourceclassparameters",
  kind: "ResourceClassParameters",
  printer,
  rules: async () => ({ strategy: (await import("./parameters-strategies.ts")).classParametersStrategy }),
});
