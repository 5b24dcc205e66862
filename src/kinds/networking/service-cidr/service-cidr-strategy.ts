import { changed, withGeneration } from "../../../registry/contract/default-strategy.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { validateAsNew } from "../../../registry/contract/validate-as-new.ts";
import { addServiceCidrErrors, addServiceCidrUpdateErrors } from "./service-cidr-validation.ts";

/**
 * The strategy of ServiceCIDRs: one CIDR of either IP family, or one of each. Upstream:
 * pkg/registry/networking/servicecidr/strategy.go.
 */
export function serviceCidrStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const isExtensible = gates.since("1.33");
  const strategy: Strategy = {
    ...withGeneration(base, changed("spec")),
    ...(gates.isEnabled("ServiceCIDRStatusFieldWiping") ? {} : writesStatus),
    validate: addServiceCidrErrors,
    validateUpdate: (errors, serviceCidr, old) =>
      addServiceCidrUpdateErrors(errors, serviceCidr, old, isExtensible),
  };
  return validateAsNew(strategy, "Cluster");
}

/** Before 1.36, the status can be written with the object, not only through `/status`. */
const writesStatus: Pick<Strategy, "prepareForCreate" | "prepareForUpdate"> = {
  prepareForCreate: () => {},
  prepareForUpdate: () => {},
};
