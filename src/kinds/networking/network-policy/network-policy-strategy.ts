import { type Edit, editedAt, editedEach, without } from "../../../apimachinery/object-edits.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { changed, withGeneration } from "../../../registry/contract/default-strategy.ts";
import { type GatedFields, withGatedFields } from "../../../registry/contract/gated-fields.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import {
  addNetworkPolicyErrors,
  addNetworkPolicyUpdateErrors,
  ipBlockWarnings,
} from "./network-policy-validation.ts";

const withoutEndPorts: Edit = (rule) => editedEach(rule, "ports", (port) => without(port, ["endPort"]));

const gatedFields: readonly GatedFields[] = [
  {
    gate: "NetworkPolicyEndPort",
    drop: (policy) =>
      editedAt(policy, "spec", (spec) =>
        editedEach(editedEach(spec, "ingress", withoutEndPorts), "egress", withoutEndPorts),
      ),
  },
];

/** The strategy of NetworkPolicies. */
export function networkPolicyStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const warnings = (policy: KubeObject) => ipBlockWarnings(policy, gates.since);
  return {
    ...withGeneration(withGatedFields(base, gates, gatedFields), changed("spec")),
    warningsOnCreate: warnings,
    warningsOnUpdate: warnings,
    validate: addNetworkPolicyErrors,
    metadataChecks: { create: "core", update: "own" },
    validateUpdate: (errors, policy, old) => addNetworkPolicyUpdateErrors(errors, policy, old, gates.since),
  };
}
