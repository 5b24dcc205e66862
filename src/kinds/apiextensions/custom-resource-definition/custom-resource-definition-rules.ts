import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { customResourceDefinitionV1beta1 } from "./custom-resource-definition-conversion.ts";
import {
  betaCustomResourceDefinitionDefaults,
  customResourceDefinitionDefaults,
} from "./custom-resource-definition-defaults.ts";
import {
  betaCustomResourceDefinitionStrategy,
  customResourceDefinitionStrategy,
  definitionStatusStrategy,
} from "./custom-resource-definition-strategy.ts";

export const customResourceDefinitionRules: BuiltInRules<"customresourcedefinitions"> = {
  strategy: customResourceDefinitionStrategy,
  subresources: { status: { strategy: definitionStatusStrategy } },
  versions: {
    "apiextensions.k8s.io/v1": { defaults: customResourceDefinitionDefaults },
    "apiextensions.k8s.io/v1beta1": {
      defaults: betaCustomResourceDefinitionDefaults,
      conversions: { "apiextensions.k8s.io/v1": customResourceDefinitionV1beta1 },
      strategy: betaCustomResourceDefinitionStrategy,
    },
  },
};
