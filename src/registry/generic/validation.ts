import type { FieldError } from "../../apimachinery/field.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import {
  standardFinalizerErrors,
  validateObjectMetaUpdate,
} from "../../apimachinery/object-meta-validation.ts";
import { metadataErrors } from "../metadata-errors.ts";
import type { StoredResource } from "./stored-resource.ts";

/** Every finding on a new object: its metadata first, then what the kind says. */
export function validateObject(resource: StoredResource, object: KubeObject): FieldError[] {
  const { validateName, validate } = resource.strategy;
  const { namespaced } = resource.definition;
  return [...metadataErrors(object, { namespaced, validateName }), ...validate(object)];
}

/** Every finding on a changed object. Upstream checks metadata for all kinds and then each kind does so again, which shows in the causes. */
export function validateObjectUpdate(
  resource: StoredResource,
  object: KubeObject,
  old: KubeObject,
): FieldError[] {
  return [
    ...validateObjectMetaUpdate(object.metadata, old.metadata),
    ...validateObjectMetaUpdate(object.metadata, old.metadata),
    ...standardFinalizerErrors(object.metadata),
    ...resource.strategy.validateUpdate(object, old),
  ];
}
