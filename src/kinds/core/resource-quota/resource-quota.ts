import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { statusStrategy } from "../../../registry/subresources/status.ts";
import { addQuotaErrors, addQuotaStatusErrors, addQuotaUpdateErrors } from "./resource-quota-validation.ts";

/** The strategy of resource quotas. Upstream: pkg/registry/core/resourcequota/strategy.go. */
export function resourceQuotaStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  return {
    ...base,
    validate: (errors, quota) => addQuotaErrors(errors, quota, gates),
    validateUpdate: (errors, quota, old) => addQuotaUpdateErrors(errors, quota, old, gates),
  };
}

/** The strategy of `/status`. */
export function resourceQuotaStatusStrategy(base: Strategy): Strategy {
  return {
    ...statusStrategy(base),
    validateUpdate: addQuotaStatusErrors,
  };
}
