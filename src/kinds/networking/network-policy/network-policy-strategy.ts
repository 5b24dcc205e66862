import { listAt } from "../../../apimachinery/fields.ts";
import type { JsonValue } from "../../../apimachinery/json.ts";
import { type Edit, editedAt, editedEach, without } from "../../../apimachinery/object-edits.ts";
import type { KubeObject, MutableKubeObject } from "../../../apimachinery/object-meta.ts";
import { addConditionErrors } from "../../../apimachinery/validation/condition-validation.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { changed, withGeneration, withPreparation } from "../../../registry/contract/default-strategy.ts";
import { type GatedFields, withGatedFields } from "../../../registry/contract/gated-fields.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { statusStrategy } from "../../../registry/subresources/status.ts";
import { addSctpErrors, type PortList } from "../../addresses/sctp-errors.ts";
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
    ...withGeneration(withGatedFields(withFreeStatus(base, gates), gates, gatedFields), changed("spec")),
    warningsOnCreate: warnings,
    warningsOnUpdate: warnings,
    validate: (errors, policy) => {
      addNetworkPolicyErrors(errors, policy, gates);
      addSctpErrors(errors, portsOf(policy), [], gates);
    },
    metadataChecks: { create: "core", update: "own" },
    validateUpdate: (errors, policy, old) => {
      addNetworkPolicyUpdateErrors(errors, policy, old, gates);
      addSctpErrors(errors, portsOf(policy), portsOf(old), gates);
    },
  };
}

function portsOf(policy: KubeObject): readonly PortList[] {
  return ["ingress", "egress"].flatMap((direction) =>
    listAt(policy, "spec", direction).map((rule, i): PortList => [rule, `spec.${direction}[${i}].ports`]),
  );
}

const gate = "NetworkPolicyStatus";

/**
 * While the gate of the status is off, clients write it with the object, unless conditions are stored. Upstream: 1.24 to 1.27,
 * pkg/registry/networking/networkpolicy/strategy.go.
 */
function withFreeStatus(base: Strategy, gates: FeatureGates): Strategy {
  if (gates.isEnabled(gate)) return base;
  return {
    ...base,
    prepareForCreate: (policy, context) => {
      const { status } = policy;
      base.prepareForCreate(policy, context);
      setStatus(policy, status);
    },
    prepareForUpdate: (policy, old, context) => {
      const { status } = policy;
      base.prepareForUpdate(policy, old, context);
      if (!hasConditions(old)) setStatus(policy, status);
    },
  };
}

/** `/status`, which can only clear conditions while the gate is off. */
export function networkPolicyStatusStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const strategy = statusStrategy(base);
  return {
    ...(gates.isEnabled(gate) ? strategy : withPreparation(strategy, keepConditions)),
    validateUpdate: (errors, policy) =>
      addConditionErrors(errors, listAt(policy, "status", "conditions"), "status.conditions"),
  };
}

function keepConditions(policy: MutableKubeObject, old: KubeObject | undefined): void {
  setStatus(policy, hasConditions(policy) ? old?.["status"] : undefined);
}

function hasConditions(policy: KubeObject): boolean {
  return listAt(policy, "status", "conditions").length > 0;
}

function setStatus(policy: MutableKubeObject, status: JsonValue | undefined): void {
  if (status === undefined) delete policy["status"];
  else policy["status"] = status;
}
