import { changed, withGeneration } from "../../../registry/contract/default-strategy.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { validateAsNew } from "../../../registry/contract/validate-as-new.ts";
import { addServiceCidrErrors, addServiceCidrUpdateErrors } from "./service-cidr-validation.ts";

/** The strategy of ServiceCIDRs: one CIDR of either IP family, or one of each. */
export function serviceCidrStrategy(base: Strategy): Strategy {
  const strategy: Strategy = {
    ...withGeneration(base, changed("spec")),
    validate: addServiceCidrErrors,
    validateUpdate: addServiceCidrUpdateErrors,
  };
  return validateAsNew(strategy, "Cluster");
}
