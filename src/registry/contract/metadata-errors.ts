import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { Findings } from "../../apimachinery/validation/findings.ts";
import {
  addObjectMetaErrors,
  addObjectMetaUpdateErrors,
  addStandardFinalizerErrors,
  type ObjectMetaRules,
} from "../../apimachinery/validation/object-meta-validation.ts";

/** Validates metadata: ValidateObjectMeta of the core group, which many kinds call on update, too. */
export function addMetadataErrors(errors: Findings, { metadata }: KubeObject, rules: ObjectMetaRules): void {
  addObjectMetaErrors(errors, metadata, rules);
  addStandardFinalizerErrors(errors, metadata);
}

/** Validates a change of metadata: ValidateObjectMetaUpdate of the core group, for kinds that call it late. */
export function addMetadataUpdateErrors(errors: Findings, { metadata }: KubeObject, old: KubeObject): void {
  addObjectMetaUpdateErrors(errors, metadata, old.metadata);
  addStandardFinalizerErrors(errors, metadata);
}
