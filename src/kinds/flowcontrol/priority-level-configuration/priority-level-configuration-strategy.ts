import { dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import { changed, withGeneration } from "../../../registry/contract/default-strategy.ts";
import { metadataErrors } from "../../../registry/contract/metadata-errors.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { statusStrategy } from "../../../registry/subresources/status.ts";
import { flowConditionErrors } from "../flow-control/flow-condition-validation.ts";
import { priorityLevelConfigurationErrors } from "./priority-level-configuration-validation.ts";

const metadataRules = { namespaced: false, validateName: dnsSubdomainName };

export function priorityLevelConfigurationStrategy(base: Strategy): Strategy {
  return withGeneration(
    {
      ...base,
      metadataChecks: { create: "core", update: "own" },
      validate: priorityLevelConfigurationErrors,
      validateUpdate: (object) => [
        ...metadataErrors(object, metadataRules),
        ...priorityLevelConfigurationErrors(object),
      ],
    },
    changed("spec"),
  );
}

export function priorityLevelConfigurationStatusStrategy(base: Strategy): Strategy {
  return {
    ...statusStrategy(base),
    metadataChecks: base.metadataChecks,
    validateUpdate: flowConditionErrors,
  };
}
