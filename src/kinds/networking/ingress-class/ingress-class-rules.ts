import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { ingressClassDefaults } from "../networking-defaults.ts";
import { ingressClassStrategy } from "./ingress-class.ts";

export const ingressClassRules: KindRules<"ingressclasses"> = {
  strategy: ingressClassStrategy,
  versions: {
    "networking.k8s.io/v1": { defaults: ingressClassDefaults },
    "networking.k8s.io/v1beta1": { defaults: ingressClassDefaults },
  },
};
