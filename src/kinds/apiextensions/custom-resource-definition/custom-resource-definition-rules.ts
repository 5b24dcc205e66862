import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import {
  betaCustomResourceDefinitionDefaults,
  customResourceDefinitionDefaults,
} from "./custom-resource-definition-defaults.ts";

export const customResourceDefinitionRules: BuiltInRules<"customresourcedefinitions"> = {
  strategy: (base) => ({ ...base, metadataChecks: { create: "library", update: "library" } }),
  versions: {
    "apiextensions.k8s.io/v1": { defaults: customResourceDefinitionDefaults },
    "apiextensions.k8s.io/v1beta1": { defaults: betaCustomResourceDefinitionDefaults },
  },
};
