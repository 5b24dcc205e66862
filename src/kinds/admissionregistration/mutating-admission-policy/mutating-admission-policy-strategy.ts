import type { StrategyEnvironment } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { admissionPolicyStrategy } from "../policy/admission-policy-strategy.ts";
import { addMutatingAdmissionPolicyErrors } from "./mutating-admission-policy-validation.ts";

export function mutatingAdmissionPolicyStrategy(base: Strategy, environment: StrategyEnvironment): Strategy {
  return admissionPolicyStrategy(base, environment, addMutatingAdmissionPolicyErrors);
}
