import { structAt } from "../../../apimachinery/fields.ts";
import type { JsonValue } from "../../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../../apimachinery/object-meta.ts";
import { dnsLabelName } from "../../../apimachinery/validation/names.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { keepOld } from "../../../registry/contract/default-strategy.ts";
import { addMetadataErrors, addMetadataUpdateErrors } from "../../../registry/contract/metadata-errors.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { statusStrategy } from "../../../registry/subresources/status.ts";
import {
  addNamespaceErrors,
  addNamespaceFinalizeErrors,
  addNamespaceStatusErrors,
} from "./namespace-validation.ts";

const nameLabel = "kubernetes.io/metadata.name";
const kubernetesFinalizer = "kubernetes";

/**
 * The strategy of namespaces, which have finalizers in their spec. Upstream: pkg/registry/core/namespace/strategy.go.
 */
export function namespaceStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  return {
    ...base,
    validateName: dnsLabelName,
    metadataChecks: { create: "core", update: "own" },
    prepareForCreate: (object) => {
      object["status"] = { phase: "Active" };
      const finalizers = specFinalizers(object);
      if (!finalizers.includes(kubernetesFinalizer)) {
        setFinalizers(object, [...finalizers, kubernetesFinalizer]);
      }
      labelWithName(object, gates);
    },
    validate: addNamespaceErrors,
    prepareForUpdate: (object, old) => {
      keepOld(object, old, "status");
      setFinalizers(object, specFinalizers(old));
      labelWithName(object, gates);
    },
    validateUpdate: (errors, object, old) => {
      addMetadataErrors(errors, object, { namespaced: false, validateName: dnsLabelName });
      addNamespaceErrors(errors, object);
      addMetadataUpdateErrors(errors, object, old);
    },
    deletion: "namespace",
    hasOtherFinalizers: (object) => specFinalizers(object).length > 0,
    prepareForTermination: (object) => {
      object["status"] = { ...structAt(object, "status"), phase: "Terminating" };
      // Upstream's namespace storage sets the deletion timestamp only, because namespaces have no grace period.
      delete object.metadata.deletionGracePeriodSeconds;
    },
  };
}

/** The strategy of `/finalize`, which changes the finalizers of the spec and keeps the status. */
export function namespaceFinalizeStrategy(base: Strategy, facts: StrategyFacts): Strategy {
  const { gates } = facts;
  return {
    ...namespaceStrategy(base, facts),
    metadataChecks: { create: "core", update: "core" },
    prepareForUpdate: (object, old) => {
      keepOld(object, old, "status");
      labelWithName(object, gates);
    },
    validateUpdate: addNamespaceFinalizeErrors,
  };
}

/** The strategy of `/status`. */
export function namespaceStatusStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const status = statusStrategy(base);
  return {
    ...status,
    prepareForUpdate: (object, old, context) => {
      status.prepareForUpdate(object, old, context);
      labelWithName(object, gates);
    },
    validateUpdate: addNamespaceStatusErrors,
  };
}

function specFinalizers(object: KubeObject): readonly JsonValue[] {
  const finalizers = structAt(object, "spec")["finalizers"];
  return Array.isArray(finalizers) ? finalizers : [];
}

function setFinalizers(object: MutableKubeObject, finalizers: readonly JsonValue[]): void {
  object["spec"] = { ...structAt(object, "spec"), finalizers };
}

/** Upstream: pkg/registry/core/namespace/strategy.go, Canonicalize. */
function labelWithName(object: MutableKubeObject, { isEnabled }: FeatureGates): void {
  const { name, labels } = object.metadata;
  if (name !== undefined && isEnabled("NamespaceDefaultLabelName"))
    object.metadata.labels = { ...labels, [nameLabel]: name };
}
