import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { ingressClassDefaults } from "./ingress-class-defaults.ts";
import { ingressClassStrategy } from "./ingress-class-strategy.ts";

export const ingressClassRules: KindRules<"ingressclasses"> = {
  strategy: ingressClassStrategy,
  versions: {
    "networking.k8s.io/v1": { defaults: ingressClassDefaults },
    "networking.k8s.io/v1beta1": { defaults: ingressClassDefaults },
  },
};
