import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { changed, withGeneration } from "../../../registry/contract/default-strategy.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import {
  ipBlockWarnings,
  networkPolicyErrors,
  networkPolicyUpdateErrors,
} from "./network-policy-validation.ts";

/** The strategy of NetworkPolicies. */
export function networkPolicyStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const warnings = (policy: KubeObject) => ipBlockWarnings(policy, gates.since);
  return {
    ...withGeneration(base, changed("spec")),
    warningsOnCreate: warnings,
    warningsOnUpdate: warnings,
    validate: networkPolicyErrors,
    metadataChecks: { create: "core", update: "own" },
    validateUpdate: (policy, old) => networkPolicyUpdateErrors(policy, old, gates.since),
  };
}
