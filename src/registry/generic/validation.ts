import { invalid, type StatusError } from "../../apimachinery/errors/errors.ts";
import type { FieldError } from "../../apimachinery/errors/field.ts";
import { fieldCauses } from "../../apimachinery/errors/field.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { addAll, type Findings } from "../../apimachinery/validation/findings.ts";
import { pathSegmentName } from "../../apimachinery/validation/names.ts";
import {
  addNameErrors,
  addObjectMetaErrors,
  addObjectMetaUpdateErrors,
  addStandardFinalizerErrors,
} from "../../apimachinery/validation/object-meta-validation.ts";
import { internalTypes } from "../../schema/internal-types.ts";
import { showingSentQuantities } from "../../schema/quantity-shape.ts";
import { sentQuantitiesOf } from "../../schema/sent-quantities.ts";
import { addMetadataErrors } from "../contract/metadata-errors.ts";
import type { StoredResource } from "../contract/stored-resource.ts";

/**
 * Validates a new object: the errors of its kind, or those that apply to all kinds if there are none. Upstream:
 * `rest.BeforeCreate`.
 */
export function validateObject(resource: StoredResource, object: KubeObject): readonly FieldError[] {
  const { metadataChecks, validate } = resource.strategy;
  const { schema } = resource.definition;
  const errors: Findings = [];
  addCreateErrors(errors, resource, object);
  addAll(errors, schema.validate(object, undefined));
  validate(errors, object);
  if (errors.length > 0) return errors;
  if (metadataChecks.create === "own") {
    addCommonErrors(errors, resource, object);
    return errors;
  }
  // Only the name has further rules.
  addNameErrors(errors, object.metadata, pathSegmentName);
  return errors;
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
  const changeErrors: Findings = [];
  addObjectMetaUpdateErrors(changeErrors, object.metadata, old.metadata);
  const errors: Findings = [];
  addCommonErrors(errors, resource, object);
  addAll(errors, changeErrors);
  if (metadataChecks.update !== "own") addAll(errors, changeErrors);
  if (metadataChecks.update === "core") addStandardFinalizerErrors(errors, object.metadata);
  addAll(errors, resource.definition.schema.validate(object, old));
  validateUpdate(errors, object, old);
  return errors;
}

/** The invalid error with the wording of the release; `sent` is the object as it was decoded. */
export function invalidObject(
  { definition, gates }: StoredResource,
  { metadata }: KubeObject,
  errors: readonly FieldError[],
  sent: KubeObject,
): StatusError {
  const types = internalTypes(gates.since, definition.gvk);
  const quantities = sentQuantitiesOf(sent);
  const shown = quantities === undefined ? types : showingSentQuantities(types, quantities);
  return invalid(definition.gvk, metadata.name ?? "", fieldCauses(errors, gates.since, shown, sent));
}

function addCreateErrors(
  errors: Findings,
  { strategy, definition }: StoredResource,
  object: KubeObject,
): void {
  const { metadataChecks, validateName } = strategy;
  const rules = { namespaced: definition.namespaced, validateName };
  if (metadataChecks.create === "core") addMetadataErrors(errors, object, rules);
  if (metadataChecks.create === "library") addObjectMetaErrors(errors, object.metadata, rules);
}

function addCommonErrors(errors: Findings, { definition }: StoredResource, { metadata }: KubeObject): void {
  addObjectMetaErrors(errors, metadata, { namespaced: definition.namespaced, validateName: pathSegmentName });
}
