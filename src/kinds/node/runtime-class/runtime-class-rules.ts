import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { runtimeClassStrategy } from "./runtime-class-strategy.ts";

export const runtimeClassRules: BuiltInRules<"runtimeclasses"> = {
  strategy: runtimeClassStrategy,
};
