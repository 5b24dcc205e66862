import type { StrategyEnvironment } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { statusOnlyStrategy } from "../../../registry/subresources/status-metadata.ts";
import { admissionPolicyStrategy } from "../policy/admission-policy-strategy.ts";
import {
  addValidatingAdmissionPolicyErrors,
  addValidatingAdmissionPolicyStatusErrors,
} from "./validating-admission-policy-validation.ts";

export function validatingAdmissionPolicyStrategy(
  base: Strategy,
  environment: StrategyEnvironment,
): Strategy {
  return admissionPolicyStrategy(base, environment, addValidatingAdmissionPolicyErrors);
}

/** `/status` holds the results of type checking the expressions. */
export function validatingAdmissionPolicyStatusStrategy(base: Strategy): Strategy {
  return {
    ...statusOnlyStrategy(base),
    metadataChecks: base.metadataChecks,
    validateUpdate: addValidatingAdmissionPolicyStatusErrors,
  };
}
