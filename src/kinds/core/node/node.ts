import { structAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import type { JsonObject, MutableJsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../../apimachinery/object-meta.ts";
import { dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { addMetadataErrors, addMetadataUpdateErrors } from "../../../registry/contract/metadata-errors.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { statusStrategy } from "../../../registry/subresources/status.ts";
import { cidrWarnings } from "../../addresses/address-warnings.ts";
import { addNodeErrors, addNodeUpdateErrors } from "./node-validation.ts";

const metadataRules = { namespaced: false, validateName: dnsSubdomainName };

/** The strategy of nodes. Kubelets create them with a status. Upstream: pkg/registry/core/node/strategy.go. */
export function nodeStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  return {
    ...base,
    metadataChecks: { create: "core", update: "own" },
    prepareForCreate: (object) => {
      dropConfiguration(object, undefined);
      dropDisabledFields(object, gates);
    },
    validate: (errors, object) => addNodeErrors(errors, object, gates),
    warningsOnCreate: (object) => nodeWarnings(object, gates),
    prepareForUpdate: (object, old, context) => {
      base.prepareForUpdate(object, old, context);
      dropConfiguration(object, old);
      dropDisabledFields(object, gates);
    },
    validateUpdate: (errors, object, old) => {
      addMetadataErrors(errors, object, metadataRules);
      addNodeErrors(errors, object, gates);
      addMetadataUpdateErrors(errors, object, old);
      addNodeUpdateErrors(errors, object, old);
    },
    warningsOnUpdate: (object) => nodeWarnings(object, gates),
  };
}

/** The strategy of `/status`. */
export function nodeStatusStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const status = statusStrategy(base);
  return {
    ...status,
    prepareForUpdate: (object, old, context) => {
      status.prepareForUpdate(object, old, context);
      dropConfiguration(object, old);
      dropDisabledFields(object, gates);
    },
    validateUpdate: addNodeUpdateErrors,
  };
}

/** Drops dynamic kubelet configuration, unless the stored node still has it. */
function dropConfiguration(object: MutableKubeObject, old: KubeObject | undefined): void {
  for (const [part, field] of [
    ["spec", "configSource"],
    ["status", "config"],
  ] as const) {
    const inUse = old !== undefined && structAt(old, part)[field] !== undefined;
    if (!inUse && structAt(object, part)[field] !== undefined) {
      object[part] = without(structAt(object, part), field);
    }
  }
}

/** Drops status fields of features that the server does not have, even if the stored node has them. */
function dropDisabledFields(object: MutableKubeObject, gates: FeatureGates): void {
  const isClosed = (...names: readonly string[]) => !names.some((name) => gates.isEnabled(name));
  const dropped = [
    ...(isClosed("RecursiveReadOnlyMounts", "UserNamespacesSupport") ? ["runtimeHandlers"] : []),
    ...(isClosed("SupplementalGroupsPolicy") ? ["features"] : []),
    ...(isClosed("NodeDeclaredFeatures") ? ["declaredFeatures"] : []),
  ];
  for (const field of dropped) {
    if (structAt(object, "status")[field] === undefined) continue;
    object["status"] = without(structAt(object, "status"), field);
  }
}

function without(struct: JsonObject, field: string): JsonObject {
  const rest: MutableJsonObject = { ...struct };
  delete rest[field];
  return rest;
}

function nodeWarnings(object: KubeObject, { since }: FeatureGates): readonly string[] {
  const warnings: string[] = [];
  if (structAt(object, "spec")["configSource"] !== undefined) {
    warnings.push("spec.configSource: the feature is removed");
  }
  if (textAt(object, "spec", "externalID")) {
    warnings.push("spec.externalID: this field is deprecated, and is unused by Kubernetes");
  }
  if (!since("1.33")) return warnings;
  const cidrs = textsAt(object, "spec", "podCIDRs");
  return [...warnings, ...cidrs.flatMap((cidr, i) => cidrWarnings(cidr, `spec.podCIDRs[${i}]`, since))];
}
