import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { leaseCandidateStrategy } from "./lease-candidate.ts";

export const leaseCandidateRules: KindRules<"leasecandidates"> = {
  strategy: leaseCandidateStrategy,
};
