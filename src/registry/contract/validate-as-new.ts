import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { Findings } from "../../apimachinery/validation/findings.ts";
import {
  addObjectMetaErrors,
  addObjectMetaUpdateErrors,
} from "../../apimachinery/validation/object-meta-validation.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import { addMetadataErrors, addMetadataUpdateErrors } from "./metadata-errors.ts";
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
  const addNewMetadataErrors = (errors: Findings, object: KubeObject): void => {
    if (metadataChecks.create === "core") addMetadataErrors(errors, object, rules);
    else addObjectMetaErrors(errors, object.metadata, rules);
  };
  return {
    ...strategy,
    metadataChecks: { ...metadataChecks, update: "own" },
    validateUpdate: (errors, object, old) => {
      addNewMetadataErrors(errors, object);
      validate(errors, object);
      addMetadataChangeErrors(errors, metadataChecks.update, object, old);
      validateUpdate(errors, object, old);
    },
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

function addMetadataChangeErrors(
  errors: Findings,
  check: MetadataCheck,
  object: KubeObject,
  old: KubeObject,
): void {
  if (check === "core") addMetadataUpdateErrors(errors, object, old);
  else if (check === "library") addObjectMetaUpdateErrors(errors, object.metadata, old.metadata);
}
