import type { FieldError } from "../../apimachinery/errors/field.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { addAll, type Findings } from "../../apimachinery/validation/findings.ts";
import { dnsSubdomainName } from "../../apimachinery/validation/names.ts";
import { addMetadataErrors, addMetadataUpdateErrors } from "../../registry/contract/metadata-errors.ts";

/**
 * Adds the errors of an update of a ReplicaSet or a ReplicationController. Upstream validates it both as a new object and
 * as an update, so that the answer lists `specErrors` twice.
 */
export function addUpdateErrorsWithRepeats(
  errors: Findings,
  controller: KubeObject,
  old: KubeObject,
  specErrors: readonly FieldError[],
): void {
  const rules = { namespaced: true, validateName: dnsSubdomainName };
  addMetadataErrors(errors, controller, rules);
  addAll(errors, specErrors);
  addMetadataUpdateErrors(errors, controller, old);
  addAll(errors, specErrors);
}
