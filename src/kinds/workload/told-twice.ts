import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { dnsSubdomainName } from "../../apimachinery/validation/names.ts";
import { metadataErrors, metadataUpdateErrors } from "../../registry/contract/metadata-errors.ts";
import type { Findings } from "../findings/findings.ts";

/**
 * Upstream validates what keeps up a number of pods twice, as a new one and as a changed one, and the causes show it.
 * `once` is what is wrong with its spec.
 */
export function toldTwice(controller: KubeObject, old: KubeObject, once: Findings): Findings {
  const rules = { namespaced: true, validateName: dnsSubdomainName };
  return [...metadataErrors(controller, rules), ...once, ...metadataUpdateErrors(controller, old), ...once];
}
