import type { FieldError } from "../../apimachinery/field.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import {
  type ObjectMetaRules,
  standardFinalizerErrors,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from "../../apimachinery/object-meta-validation.ts";
import type { StoredResource } from "./stored-resource.ts";

/** Every finding on a new object: its metadata first, then what the kind says. */
export function validateObject(resource: StoredResource, object: KubeObject): FieldError[] {
  const { validateName, validate } = resource.strategy;
  const { namespaced } = resource.definition;
  return [...metadataErrors(object, { namespaced, validateName }), ...validate(object)];
}

/** What is wrong with the metadata of a built-in kind. Kinds that are validated anew on update say it once more. */
export function metadataErrors({ metadata }: KubeObject, rules: ObjectMetaRules): FieldError[] {
  return [...validateObjectMeta(metadata, rules), ...standardFinalizerErrors(metadata)];
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
