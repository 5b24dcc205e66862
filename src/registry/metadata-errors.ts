import type { FieldError } from "../apimachinery/field.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import {
  type ObjectMetaRules,
  standardFinalizerErrors,
  validateObjectMeta,
} from "../apimachinery/object-meta-validation.ts";

/** What is wrong with metadata on its own. Many kinds look at it once more when an update has been compared with what was. */
export function metadataErrors({ metadata }: KubeObject, rules: ObjectMetaRules): FieldError[] {
  return [...validateObjectMeta(metadata, rules), ...standardFinalizerErrors(metadata)];
}
