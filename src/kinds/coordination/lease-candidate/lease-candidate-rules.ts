import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { leaseCandidateStrategy } from "./lease-candidate-strategy.ts";

export const leaseCandidateRules: BuiltInRules<"leasecandidates"> = {
  strategy: leaseCandidateStrategy,
};
