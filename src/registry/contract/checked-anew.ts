import type { FieldError } from "../../apimachinery/errors/field.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import {
  validateObjectMeta,
  validateObjectMetaUpdate,
} from "../../apimachinery/validation/object-meta-validation.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import { metadataErrors, metadataUpdateErrors } from "./metadata-errors.ts";
import type { MetadataCheck, Strategy } from "./strategy.ts";

const firstCheckedOnce = 36;

/** As `checkedAnew`, for kinds of which upstream has noticed: from 1.36 on, each thing is told once. */
export function checkedAnewAtFirst(
  strategy: Strategy,
  isNamespaced: boolean,
  { minor }: FeatureGates,
): Strategy {
  return minor < firstCheckedOnce ? checkedAnew(strategy, isNamespaced) : strategy;
}

/**
 * For kinds whose changed objects upstream checks as if they were new, and only then as changed, even where the second
 * repeats the first: what is wrong is told each time. `isNamespaced` is the kind's scope.
 */
export function checkedAnew(strategy: Strategy, isNamespaced: boolean): Strategy {
  const { validateName, metadataChecks, validate, validateUpdate } = strategy;
  const rules = { namespaced: isNamespaced, validateName };
  const anew = (object: KubeObject): readonly FieldError[] =>
    metadataChecks.create === "core"
      ? metadataErrors(object, rules)
      : validateObjectMeta(object.metadata, rules);
  return {
    ...strategy,
    metadataChecks: { ...metadataChecks, update: "own" },
    validateUpdate: (object, old) => [
      ...anew(object),
      ...validate(object),
      ...changeErrors(metadataChecks.update, object, old),
      ...validateUpdate(object, old),
    ],
  };
}

function changeErrors(check: MetadataCheck, object: KubeObject, old: KubeObject): readonly FieldError[] {
  switch (check) {
    case "core":
      return metadataUpdateErrors(object, old);
    case "library":
      return validateObjectMetaUpdate(object.metadata, old.metadata);
    case "own":
      return [];
  }
}
