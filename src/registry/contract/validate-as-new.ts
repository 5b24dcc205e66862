import type { FieldError } from "../../apimachinery/errors/field.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import {
  validateObjectMeta,
  validateObjectMetaUpdate,
} from "../../apimachinery/validation/object-meta-validation.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import { metadataErrors, metadataUpdateErrors } from "./metadata-errors.ts";
import type { MetadataCheck, Strategy } from "./strategy.ts";

/** The scope of a kind. */
export type KindScope = "Cluster" | "Namespaced";

/**
 * For kinds whose update validation upstream starts with the validation of a new object, metadata included. An error
 * that both validations find is reported twice.
 */
export function validateAsNew(strategy: Strategy, scope: KindScope): Strategy {
  const { validateName, metadataChecks, validate, validateUpdate } = strategy;
  const rules = { namespaced: scope === "Namespaced", validateName };
  const newMetadataErrors = (object: KubeObject): readonly FieldError[] =>
    metadataChecks.create === "core"
      ? metadataErrors(object, rules)
      : validateObjectMeta(object.metadata, rules);
  return {
    ...strategy,
    metadataChecks: { ...metadataChecks, update: "own" },
    validateUpdate: (object, old) => [
      ...newMetadataErrors(object),
      ...validate(object),
      ...metadataChangeErrors(metadataChecks.update, object, old),
      ...validateUpdate(object, old),
    ],
  };
}

/** `validateAsNew` for kinds whose update validation reports each error once since 1.36. */
export function validateAsNewBefore136(
  strategy: Strategy,
  scope: KindScope,
  { since }: FeatureGates,
): Strategy {
  return since("1.36") ? strategy : validateAsNew(strategy, scope);
}

function metadataChangeErrors(
  check: MetadataCheck,
  object: KubeObject,
  old: KubeObject,
): readonly FieldError[] {
  switch (check) {
    case "core":
      return metadataUpdateErrors(object, old);
    case "library":
      return validateObjectMetaUpdate(object.metadata, old.metadata);
    case "own":
      return [];
  }
}
