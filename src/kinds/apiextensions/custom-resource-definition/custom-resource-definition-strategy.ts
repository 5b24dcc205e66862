import { fieldInvalid } from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt, structAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import type { JsonObject, MutableJsonObject } from "../../../apimachinery/json.ts";
import { editedAt, editedEach, without } from "../../../apimachinery/object-edits.ts";
import type { KubeObject, MutableKubeObject } from "../../../apimachinery/object-meta.ts";
import { formatTime } from "../../../apimachinery/time.ts";
import { expressionRelease } from "../../../catalog/effective-version.ts";
import { objectMetaOf } from "../../../catalog/object-meta-of.ts";
import { changed, withGeneration } from "../../../registry/contract/default-strategy.ts";
import { type GatedFields, withGatedFields } from "../../../registry/contract/gated-fields.ts";
import type { StrategyEnvironment, StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { statusStrategy } from "../../../registry/subresources/status.ts";
import { deepFreeze } from "../../../store/deep-freeze.ts";
import { withCondition } from "./conditions.ts";
import {
  addDefinitionErrors,
  addDefinitionStatusErrors,
  addDefinitionUpdateErrors,
  type DefinitionRules,
  definitionNameMessages,
} from "./custom-resource-definition-validation.ts";
import { withoutOptionalOldSelf, withoutRules } from "./dropped-rules.ts";

/** Keeps a definition until its objects are gone. */
export const cleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io";

const gatedFields: readonly GatedFields[] = [
  { gate: "CustomResourceValidationExpressions", drop: withoutRules },
  { gate: "CRDValidationRatcheting", drop: withoutOptionalOldSelf },
  {
    gate: "CustomResourceFieldSelectors",
    drop: (definition) =>
      editedAt(definition, "spec", (spec) =>
        editedEach(without(spec, ["selectableFields"]), "versions", (version) =>
          without(version, ["selectableFields"]),
        ),
      ),
  },
];

/** Upstream: apiextensions-apiserver, pkg/registry/customresourcedefinition/strategy.go. */
export function customResourceDefinitionStrategy(
  base: Strategy,
  { gates, served }: Pick<StrategyEnvironment, "gates" | "served">,
): Strategy {
  const strategy: Strategy = {
    ...withGeneration(base, changed("spec")),
    metadataChecks: { create: "library", update: "library" },
    prepareForCreate: (object) => {
      object["status"] = statusOf(object, {});
    },
    prepareForUpdate: (object, old) => {
      object["status"] = statusOf(object, structAt(old, "status"));
    },
    beginDeletion: terminatingDefinition,
    ...validationIn(() => ({
      requestVersion: "v1",
      gates,
      release: expressionRelease(served.current.catalog.version),
      objectMeta: objectMetaOf(served.current.catalog),
    })),
  };
  return withGatedFields(strategy, gates, gatedFields);
}

/** The strategy of v1beta1, whose clients may write what those of v1 may only keep. */
export function betaCustomResourceDefinitionStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  // No release serves both v1beta1 and rules in CEL.
  return {
    ...base,
    ...validationIn(() => ({ requestVersion: "v1beta1", gates, release: "1.21", objectMeta: undefined })),
  };
}

function validationIn(rules: () => DefinitionRules): Pick<Strategy, "validate" | "validateUpdate"> {
  return {
    validate: (errors, object) => {
      freezeSpec(object);
      for (const message of definitionNameMessages(object)) {
        errors.push(fieldInvalid("metadata.name", object.metadata.name ?? "", message));
      }
      addDefinitionErrors(errors, object, rules());
    },
    validateUpdate: (errors, object, old) => {
      freezeSpec(object);
      addDefinitionUpdateErrors(errors, object, old, rules());
    },
  };
}

/** The spec is stored as it is validated. What the checks find in a frozen part of it serves all of them. */
function freezeSpec(definition: KubeObject): void {
  deepFreeze(structAt(definition, "spec"));
}

/** The status that clients cannot set, with the storage version among the stored ones. */
function statusOf(definition: JsonObject, old: JsonObject): JsonObject {
  const storage = listAt(definition, "spec", "versions").find((version) => version["storage"] === true);
  const stored = textsAt(old, "storedVersions");
  const name = storage && textAt(storage, "name");
  if (name === undefined || stored.includes(name)) return old;
  return { ...old, storedVersions: [...stored, name] };
}

/** Upstream: statusStrategy of the same file. */
export function definitionStatusStrategy(base: Strategy): Strategy {
  return {
    ...statusStrategy(base),
    validateUpdate: (errors, object) => addDefinitionStatusErrors(errors, object),
  };
}

/** The definition as its deletion begins. Upstream: pkg/registry/customresourcedefinition/etcd.go, Delete. */
export function terminatingDefinition(definition: KubeObject, now: number): MutableKubeObject {
  const finalizers = definition.metadata.finalizers ?? [];
  const conditions = withCondition(
    listAt(definition, "status", "conditions"),
    {
      type: "Terminating",
      status: "True",
      reason: "InstanceDeletionPending",
      message: "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
    },
    now,
  );
  const status: MutableJsonObject = { ...objectAt(definition, "status"), conditions };
  return {
    ...definition,
    metadata: {
      ...definition.metadata,
      deletionTimestamp: formatTime(now),
      finalizers: finalizers.includes(cleanupFinalizer) ? finalizers : [...finalizers, cleanupFinalizer],
    },
    status,
  };
}
