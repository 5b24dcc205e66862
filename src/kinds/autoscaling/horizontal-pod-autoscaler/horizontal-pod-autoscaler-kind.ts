import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const horizontalPodAutoscalerKind: KindDefinition = builtInKind({
  group: "autoscaling",
  resource: "horizontalpodautoscalers",
  kind: "HorizontalPodAutoscaler",
  printer: async () =>
    (await import("./horizontal-pod-autoscaler-printer.ts")).horizontalPodAutoscalerPrinter,
  rules: async () => (await import("./horizontal-pod-autoscaler-rules.ts")).horizontalPodAutoscalerRules,
});
