import { dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import { changed, withGeneration } from "../../../registry/contract/default-strategy.ts";
import { addMetadataErrors } from "../../../registry/contract/metadata-errors.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { statusStrategy } from "../../../registry/subresources/status.ts";
import { addFlowConditionErrors } from "../flow-control/flow-condition-validation.ts";
import { addPriorityLevelConfigurationErrors } from "./priority-level-configuration-validation.ts";

const metadataRules = { namespaced: false, validateName: dnsSubdomainName };

export function priorityLevelConfigurationStrategy(base: Strategy): Strategy {
  return withGeneration(
    {
      ...base,
      metadataChecks: { create: "core", update: "own" },
      validate: addPriorityLevelConfigurationErrors,
      validateUpdate: (errors, object) => {
        addMetadataErrors(errors, object, metadataRules);
        addPriorityLevelConfigurationErrors(errors, object);
      },
    },
    changed("spec"),
  );
}

export function priorityLevelConfigurationStatusStrategy(base: Strategy): Strategy {
  return {
    ...statusStrategy(base),
    metadataChecks: base.metadataChecks,
    validateUpdate: addFlowConditionErrors,
  };
}
