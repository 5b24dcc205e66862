import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { runtimeClassStrategy } from "./runtime-class-strategy.ts";

export const runtimeClassRules: KindRules<"runtimeclasses"> = {
  strategy: runtimeClassStrategy,
};
