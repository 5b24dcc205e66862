import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { autoscalingPrinters } from "../../printers/autoscaling.ts";

export const horizontalPodAutoscalerKind: KindDefinition = builtInKind({
  group: "autoscaling",
  resource: "horizontalpodautoscalers",
  kind: "HorizontalPodAutoscaler",
  printer: autoscalingPrinters["horizontalpodautoscalers"],
  rules: async () => (await import("./horizontal-pod-autoscaler-rules.ts")).horizontalPodAutoscalerRules,
});
