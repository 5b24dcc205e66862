import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { namespaceFinalizeStrategy, namespaceStatusStrategy, namespaceStrategy } from "./namespace.ts";
import { namespaceDefaults } from "./namespace-defaults.ts";

export const namespaceRules: KindRules<"namespaces"> = {
  strategy: namespaceStrategy,
  versions: {
    v1: { defaults: namespaceDefaults },
  },
  subresources: {
    finalize: { strategy: namespaceFinalizeStrategy },
    status: { strategy: namespaceStatusStrategy },
  },
};
