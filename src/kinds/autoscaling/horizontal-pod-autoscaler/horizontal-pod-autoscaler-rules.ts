import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import {
  horizontalPodAutoscalerV1,
  horizontalPodAutoscalerV1ToV2beta1,
  horizontalPodAutoscalerV2,
  horizontalPodAutoscalerV2beta1,
} from "./horizontal-pod-autoscaler-conversion.ts";
import {
  horizontalPodAutoscalerDefaults,
  horizontalPodAutoscalerV1Defaults,
  horizontalPodAutoscalerV2beta1Defaults,
} from "./horizontal-pod-autoscaler-defaults.ts";
import {
  horizontalPodAutoscalerStatusStrategy,
  horizontalPodAutoscalerStrategy,
} from "./horizontal-pod-autoscaler-strategy.ts";

export const horizontalPodAutoscalerRules: BuiltInRules<"horizontalpodautoscalers"> = {
  strategy: horizontalPodAutoscalerStrategy,
  versions: {
    "autoscaling/v1": {
      defaults: horizontalPodAutoscalerV1Defaults,
      conversions: { "autoscaling/v2": horizontalPodAutoscalerV1 },
    },
    "autoscaling/v2": {
      defaults: horizontalPodAutoscalerDefaults,
      conversions: { "autoscaling/v1": horizontalPodAutoscalerV2 },
    },
    "autoscaling/v2beta1": {
      defaults: horizontalPodAutoscalerV2beta1Defaults,
      conversions: {
        "autoscaling/v2": horizontalPodAutoscalerV2beta1,
        "autoscaling/v1": horizontalPodAutoscalerV1ToV2beta1,
      },
    },
    "autoscaling/v2beta2": {
      defaults: horizontalPodAutoscalerDefaults,
      conversions: { "autoscaling/v1": horizontalPodAutoscalerV2 },
    },
  },
  subresources: {
    status: { strategy: horizontalPodAutoscalerStatusStrategy },
  },
};
