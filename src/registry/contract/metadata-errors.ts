import type { FieldError } from "../../apimachinery/errors/field.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import {
  type ObjectMetaRules,
  standardFinalizerErrors,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from "../../apimachinery/validation/object-meta-validation.ts";

/** What is wrong with metadata on its own: the core group's ValidateObjectMeta. Many kinds ask it of changed objects, too. */
export function metadataErrors({ metadata }: KubeObject, rules: ObjectMetaRules): FieldError[] {
  return [...validateObjectMeta(metadata, rules), ...standardFinalizerErrors(metadata)];
}

/** What is wrong with a change of metadata: the core group's ValidateObjectMetaUpdate, for kinds that ask it late. */
export function metadataUpdateErrors({ metadata }: KubeObject, old: KubeObject): FieldError[] {
  return [...validateObjectMetaUpdate(metadata, old.metadata), ...standardFinalizerErrors(metadata)];
}
