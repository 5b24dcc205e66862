import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { leaseCandidateStrategy } from "./lease-candidate-strategy.ts";

export const leaseCandidateRules: KindRules<"leasecandidates"> = {
  strategy: leaseCandidateStrategy,
};
