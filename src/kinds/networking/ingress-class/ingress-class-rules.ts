import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { ingressClassDefaults } from "./ingress-class-defaults.ts";
import { ingressClassStrategy } from "./ingress-class-strategy.ts";

export const ingressClassRules: BuiltInRules<"ingressclasses"> = {
  strategy: ingressClassStrategy,
  versions: {
    "networking.k8s.io/v1": { defaults: ingressClassDefaults },
    "networking.k8s.io/v1beta1": { defaults: ingressClassDefaults },
  },
};
