import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { dnsSubdomainName } from "../../apimachinery/validation/names.ts";
import { metadataErrors, metadataUpdateErrors } from "../../registry/contract/metadata-errors.ts";
import type { Findings } from "../findings/findings.ts";

/**
 * The errors of an update of a ReplicaSet or a ReplicationController. Upstream validates it both as a new object and
 * as an update, so that the answer lists `specErrors` twice.
 */
export function updateErrorsWithRepeats(
  controller: KubeObject,
  old: KubeObject,
  specErrors: Findings,
): Findings {
  const rules = { namespaced: true, validateName: dnsSubdomainName };
  return [
    ...metadataErrors(controller, rules),
    ...specErrors,
    ...metadataUpdateErrors(controller, old),
    ...specErrors,
  ];
}
