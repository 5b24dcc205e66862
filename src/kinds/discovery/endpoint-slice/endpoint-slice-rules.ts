import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { endpointSliceV1, endpointSliceV1beta1 } from "./endpoint-slice-conversion.ts";
import { endpointSliceDefaults } from "./endpoint-slice-defaults.ts";
import { betaEndpointSliceStrategy, endpointSliceStrategy } from "./endpoint-slice-strategy.ts";

export const endpointSliceRules: BuiltInRules<"endpointslices"> = {
  strategy: endpointSliceStrategy,
  versions: {
    "discovery.k8s.io/v1": {
      defaults: endpointSliceDefaults,
      conversions: { "discovery.k8s.io/v1beta1": endpointSliceV1 },
    },
    "discovery.k8s.io/v1alpha1": { defaults: endpointSliceDefaults },
    "discovery.k8s.io/v1beta1": {
      defaults: endpointSliceDefaults,
      strategy: betaEndpointSliceStrategy,
      conversions: { "discovery.k8s.io/v1": endpointSliceV1beta1 },
    },
  },
};
