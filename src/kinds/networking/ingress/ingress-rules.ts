import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { ingressV1, ingressV1beta1 } from "./ingress-conversion.ts";
import { betaIngressDefaults } from "./ingress-defaults.ts";
import { betaIngressStrategy, ingressStatusStrategy, ingressStrategy } from "./ingress-strategy.ts";

export const ingressRules: BuiltInRules<"ingresses"> = {
  strategy: ingressStrategy,
  versions: {
    "extensions/v1beta1": {
      defaults: betaIngressDefaults,
      strategy: betaIngressStrategy,
      conversions: { "networking.k8s.io/v1": ingressV1beta1 },
    },
    "networking.k8s.io/v1": { conversions: { "networking.k8s.io/v1beta1": ingressV1 } },
    "networking.k8s.io/v1beta1": {
      defaults: betaIngressDefaults,
      strategy: betaIngressStrategy,
      conversions: { "networking.k8s.io/v1": ingressV1beta1 },
    },
  },
  subresources: {
    status: { strategy: ingressStatusStrategy },
  },
};
