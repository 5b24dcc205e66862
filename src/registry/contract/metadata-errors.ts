import type { FieldError } from "../../apimachinery/errors/field.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import {
  type ObjectMetaRules,
  standardFinalizerErrors,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from "../../apimachinery/validation/object-meta-validation.ts";

/** Validates metadata: ValidateObjectMeta of the core group, which many kinds call on update, too. */
export function metadataErrors({ metadata }: KubeObject, rules: ObjectMetaRules): FieldError[] {
  return [...validateObjectMeta(metadata, rules), ...standardFinalizerErrors(metadata)];
}

/** Validates a change of metadata: ValidateObjectMetaUpdate of the core group, for kinds that call it late. */
export function metadataUpdateErrors({ metadata }: KubeObject, old: KubeObject): FieldError[] {
  return [...validateObjectMetaUpdate(metadata, old.metadata), ...standardFinalizerErrors(metadata)];
}
