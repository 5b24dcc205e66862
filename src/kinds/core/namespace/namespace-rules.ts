import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { namespaceFinalizeStrategy, namespaceStatusStrategy, namespaceStrategy } from "./namespace.ts";
import { namespaceDefaults } from "./namespace-defaults.ts";

export const namespaceRules: BuiltInRules<"namespaces"> = {
  strategy: namespaceStrategy,
  versions: {
    v1: { defaults: namespaceDefaults },
  },
  subresources: {
    finalize: { strategy: namespaceFinalizeStrategy },
    status: { strategy: namespaceStatusStrategy },
  },
};
