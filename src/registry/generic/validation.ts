import { invalid, type StatusError } from "../../apimachinery/errors/errors.ts";
import type { FieldError } from "../../apimachinery/errors/field.ts";
import { fieldCauses } from "../../apimachinery/errors/field.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { pathSegmentName } from "../../apimachinery/validation/names.ts";
import {
  nameErrors,
  standardFinalizerErrors,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from "../../apimachinery/validation/object-meta-validation.ts";
import { internalTypes } from "../../schema/internal-types.ts";
import { metadataErrors } from "../contract/metadata-errors.ts";
import type { StoredResource } from "../contract/stored-resource.ts";

/**
 * Validates a new object: the errors of its kind, or those that apply to all kinds if there are none. Upstream:
 * `rest.BeforeCreate`.
 */
export function validateObject(resource: StoredResource, object: KubeObject): readonly FieldError[] {
  const { metadataChecks, validate } = resource.strategy;
  const { schema } = resource.definition;
  const errors = [
    ...createErrors(resource, object),
    ...schema.validate(object, undefined),
    ...validate(object),
  ];
  if (errors.length > 0) return errors;
  if (metadataChecks.create === "own") return commonErrors(resource, object);
  // Only the name has further rules.
  return nameErrors(object.metadata, pathSegmentName);
}

/**
 * Validates a changed object: the errors that apply to all kinds, then those of its kind, which usually repeat them.
 * Upstream: `rest.BeforeUpdate`.
 */
export function validateObjectUpdate(
  resource: StoredResource,
  object: KubeObject,
  old: KubeObject,
): readonly FieldError[] {
  const { metadataChecks, validateUpdate } = resource.strategy;
  const changeErrors = validateObjectMetaUpdate(object.metadata, old.metadata);
  return [
    ...commonErrors(resource, object),
    ...changeErrors,
    ...(metadataChecks.update === "own" ? [] : changeErrors),
    ...(metadataChecks.update === "core" ? standardFinalizerErrors(object.metadata) : []),
    ...resource.definition.schema.validate(object, old),
    ...validateUpdate(object, old),
  ];
}

/** The invalid error with the wording of the release. */
export function invalidObject(
  { definition, gates }: StoredResource,
  { metadata }: KubeObject,
  errors: readonly FieldError[],
): StatusError {
  return invalid(
    definition.gvk,
    metadata.name ?? "",
    fieldCauses(errors, gates.since, internalTypes(gates.since, definition.gvk)),
  );
}

function createErrors({ strategy, definition }: StoredResource, object: KubeObject): readonly FieldError[] {
  const { metadataChecks, validateName } = strategy;
  const rules = { namespaced: definition.namespaced, validateName };
  switch (metadataChecks.create) {
    case "core":
      return metadataErrors(object, rules);
    case "library":
      return validateObjectMeta(object.metadata, rules);
    case "own":
      return [];
  }
}

function commonErrors({ definition }: StoredResource, { metadata }: KubeObject): readonly FieldError[] {
  return validateObjectMeta(metadata, { namespaced: definition.namespaced, validateName: pathSegmentName });
}
