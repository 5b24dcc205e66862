import { structAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import { editedAt, withField } from "../../../apimachinery/object-edits.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { type GatedFields, gatedField, withGatedFields } from "../../../registry/contract/gated-fields.ts";
import { addMetadataErrors, addMetadataUpdateErrors } from "../../../registry/contract/metadata-errors.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { statusStrategy } from "../../../registry/subresources/status.ts";
import { cidrWarnings } from "../../addresses/address-warnings.ts";
import { addNodeErrors, addNodeUpdateErrors } from "./node-validation.ts";

const metadataRules = { namespaced: false, validateName: dnsSubdomainName };

const configuration = gatedField("DynamicKubeletConfig", "status", "config");

const gatedFields: readonly GatedFields[] = [
  gatedField("DynamicKubeletConfig", "spec", "configSource"),
  configuration,
  {
    gate: "IPv6DualStack",
    drop: (node) =>
      editedAt(node, "spec", (spec) => {
        const ranges = textsAt(spec, "podCIDRs");
        return ranges.length > 1 ? withField(spec, "podCIDRs", ranges.slice(0, 1)) : spec;
      }),
  },
  gatedField("NodeDeclaredFeatures", "status", "declaredFeatures"),
  {
    ...gatedField("RecursiveReadOnlyMounts", "status", "runtimeHandlers"),
    alternative: "UserNamespacesSupport",
    isInUse: () => false,
  },
  gatedField("SupplementalGroupsPolicy", "status", "features"),
];

/** The strategy of nodes. Kubelets create them with a status. Upstream: pkg/registry/core/node/strategy.go. */
export function nodeStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const strategy: Strategy = {
    ...base,
    metadataChecks: { create: "core", update: "own" },
    // Unlike the base, it keeps the status.
    prepareForCreate: () => {},
    validate: (errors, object) => addNodeErrors(errors, object, gates),
    warningsOnCreate: (object) => nodeWarnings(object, gates),
    validateUpdate: (errors, object, old) => {
      addMetadataErrors(errors, object, metadataRules);
      addNodeErrors(errors, object, gates, old);
      addMetadataUpdateErrors(errors, object, old);
      addNodeUpdateErrors(errors, object, old);
    },
    warningsOnUpdate: (object) => nodeWarnings(object, gates),
  };
  return withGatedFields(strategy, gates, gatedFields);
}

/** The strategy of `/status`. */
export function nodeStatusStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  return {
    ...withGatedFields(statusStrategy(base), gates, [configuration]),
    validateUpdate: addNodeUpdateErrors,
  };
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
