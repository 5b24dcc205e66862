import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { namespaceDefaults } from "../core-defaults.ts";
import { namespaceFinalizeStrategy, namespaceStatusStrategy, namespaceStrategy } from "./namespace.ts";

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
