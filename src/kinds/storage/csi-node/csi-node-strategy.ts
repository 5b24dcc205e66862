import { dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import { addMetadataErrors } from "../../../registry/contract/metadata-errors.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { validateAsNewBefore136 } from "../../../registry/contract/validate-as-new.ts";
import { addCsiNodeChangeErrors, addCsiNodeErrors } from "./csi-node-validation.ts";

const metadataRules = { namespaced: false, validateName: dnsSubdomainName };

/** The strategy of CSINodes. A driver can be added and removed, but not changed. */
export function csiNodeStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const strategy: Strategy = {
    ...base,
    metadataChecks: { create: "core", update: "own" },
    validate: (errors, object) => addCsiNodeErrors(errors, object, gates),
    validateUpdate: (errors, object, old) => {
      addMetadataErrors(errors, object, metadataRules);
      addCsiNodeErrors(errors, object, gates);
      addCsiNodeChangeErrors(errors, object, old, gates);
    },
  };
  return validateAsNewBefore136(strategy, "Cluster", gates);
}
