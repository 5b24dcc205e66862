import { textAt } from "../../apimachinery/fields.ts";
import type { JsonObject, MutableJsonObject } from "../../apimachinery/json.ts";
import { dnsSubdomainName } from "../../apimachinery/names.ts";
import { type KubeObject, type MutableKubeObject, section } from "../../apimachinery/object-meta.ts";
import { metadataErrors, metadataUpdateErrors } from "../metadata-errors.ts";
import type { Strategy } from "../strategy.ts";
import { statusStrategy } from "../subresource/status.ts";
import { nodeErrors, nodeUpdateErrors } from "./node-validation.ts";

const metadataRules = { namespaced: false, validateName: dnsSubdomainName };

/** Nodes are made by kubelets, which bring the status along. Configuration by the API is no more. */
export function nodeStrategy(base: Strategy): Strategy {
  return {
    ...base,
    metadataChecks: { create: "core", update: "own" },
    prepareForCreate: (object) => dropConfiguration(object, undefined),
    validate: nodeErrors,
    warningsOnCreate: nodeWarnings,
    prepareForUpdate: (object, old, context) => {
      base.prepareForUpdate(object, old, context);
      dropConfiguration(object, old);
    },
    validateUpdate: (object, old) => [
      ...metadataErrors(object, metadataRules),
      ...nodeErrors(object),
      ...metadataUpdateErrors(object, old),
      ...nodeUpdateErrors(object, old),
    ],
    warningsOnUpdate: nodeWarnings,
  };
}

/** `/status` is what a kubelet reports. */
export function nodeStatusStrategy(base: Strategy): Strategy {
  const status = statusStrategy(base);
  return {
    ...status,
    prepareForUpdate: (object, old, context) => {
      status.prepareForUpdate(object, old, context);
      dropConfiguration(object, old);
    },
    validateUpdate: nodeUpdateErrors,
  };
}

/** What an old node may still have stays, and can change. */
function dropConfiguration(object: MutableKubeObject, old: KubeObject | undefined): void {
  for (const [part, field] of [
    ["spec", "configSource"],
    ["status", "config"],
  ] as const) {
    const inUse = old !== undefined && section(old, part)[field] !== undefined;
    if (!inUse && section(object, part)[field] !== undefined)
      object[part] = without(section(object, part), field);
  }
}

function without(struct: JsonObject, field: string): JsonObject {
  const rest: MutableJsonObject = { ...struct };
  delete rest[field];
  return rest;
}

function nodeWarnings(object: KubeObject): readonly string[] {
  const warnings: string[] = [];
  if (section(object, "spec")["configSource"] !== undefined) {
    warnings.push("spec.configSource: the feature is removed");
  }
  if (textAt(object, "spec", "externalID")) {
    warnings.push("spec.externalID: this field is deprecated, and is unused by Kubernetes");
  }
  return warnings;
}
