import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { changed, withGeneration } from "../../../registry/contract/default-strategy.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import {
  addNetworkPolicyErrors,
  addNetworkPolicyUpdateErrors,
  ipBlockWarnings,
} from "./network-policy-validation.ts";

/** The strategy of NetworkPolicies. */
export function networkPolicyStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const warnings = (policy: KubeObject) => ipBlockWarnings(policy, gates.since);
  return {
    ...withGeneration(base, changed("spec")),
    warningsOnCreate: warnings,
    warningsOnUpdate: warnings,
    validate: addNetworkPolicyErrors,
    metadataChecks: { create: "core", update: "own" },
    validateUpdate: (errors, policy, old) => addNetworkPolicyUpdateErrors(errors, policy, old, gates.since),
  };
}
