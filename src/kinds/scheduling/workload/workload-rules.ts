import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { workloadStrategy } from "./workload-strategy.ts";

export const workloadRules: BuiltInRules<"workloads"> = {
  strategy: workloadStrategy,
};
