import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { flowSchemaDefaults } from "./flow-schema-defaults.ts";
import { flowSchemaStatusStrategy, flowSchemaStrategy } from "./flow-schema-strategy.ts";

export const flowSchemaRules: BuiltInRules<"flowschemas"> = {
  strategy: flowSchemaStrategy,
  versions: {
    "flowcontrol.apiserver.k8s.io/v1": { defaults: flowSchemaDefaults },
    "flowcontrol.apiserver.k8s.io/v1alpha1": { defaults: flowSchemaDefaults },
    "flowcontrol.apiserver.k8s.io/v1beta1": { defaults: flowSchemaDefaults },
    "flowcontrol.apiserver.k8s.io/v1beta2": { defaults: flowSchemaDefaults },
    "flowcontrol.apiserver.k8s.io/v1beta3": { defaults: flowSchemaDefaults },
  },
  subresources: {
    status: { strategy: flowSchemaStatusStrategy },
  },
};
