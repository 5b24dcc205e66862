import { objectAt, structAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import { changed, withGeneration } from "../../../registry/contract/default-strategy.ts";
import { addMetadataErrors } from "../../../registry/contract/metadata-errors.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { statusStrategy } from "../../../registry/subresources/status.ts";
import { addFlowConditionErrors } from "../flow-control/flow-condition-validation.ts";
import { addPriorityLevelConfigurationErrors } from "./priority-level-configuration-validation.ts";

const metadataRules = { namespaced: false, validateName: dnsSubdomainName };

export function priorityLevelConfigurationStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const allowsZero = gates.isEnabled("ZeroLimitedNominalConcurrencyShares");
  return withGeneration(
    {
      ...base,
      metadataChecks: { create: "core", update: "own" },
      validate: (errors, object) => addPriorityLevelConfigurationErrors(errors, object, allowsZero ? 0 : 1),
      validateUpdate: (errors, object, old) => {
        addMetadataErrors(errors, object, metadataRules);
        const isLenient = allowsZero || hasZeroShares(old);
        addPriorityLevelConfigurationErrors(errors, object, isLenient ? 0 : 1);
      },
    },
    changed("spec"),
  );
}

function hasZeroShares(level: KubeObject): boolean {
  const limited = objectAt(structAt(level, "spec"), "limited");
  const { nominalConcurrencyShares, assuredConcurrencyShares } = limited ?? {};
  return limited !== undefined && !nominalConcurrencyShares && !assuredConcurrencyShares;
}

export function priorityLevelConfigurationStatusStrategy(base: Strategy): Strategy {
  return {
    ...statusStrategy(base),
    metadataChecks: base.metadataChecks,
    validateUpdate: addFlowConditionErrors,
  };
}
