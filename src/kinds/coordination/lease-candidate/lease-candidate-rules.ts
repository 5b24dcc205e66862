import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { leaseCandidatePrinter } from "./lease-candidate-printer.ts";
import { leaseCandidateStrategy } from "./lease-candidate-strategy.ts";

export const leaseCandidateRules: BuiltInRules<"leasecandidates"> = {
  printer: leaseCandidatePrinter,
  strategy: leaseCandidateStrategy,
};
