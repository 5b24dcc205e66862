import type { FieldError } from "../../apimachinery/field.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import {
  validateObjectMeta,
  validateObjectMetaUpdate,
} from "../../apimachinery/object-meta-validation.ts";
import type { StoredResource } from "./stored-resource.ts";

/** Every finding on a new object: its metadata first, then what the kind says. */
export function validateObject(resource: StoredResource, object: KubeObject): FieldError[] {
  const { validateName, validate } = resource.strategy;
  const { namespaced } = resource.definition;
  return [...validateObjectMeta(object.metadata, { namespaced, validateName }), ...validate(object)];
}

/** Every finding on a changed object. */
export function validateObjectUpdate(
  resource: StoredResource,
  object: KubeObject,
  old: KubeObject,
): FieldError[] {
  return [
    ...validateObjectMetaUpdate(object.metadata, old.metadata),
    ...resource.strategy.validateUpdate(object, old),
  ];
}
