import type { FieldError } from "../../apimachinery/field.ts";
import { dnsSubdomainName } from "../../apimachinery/names.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { validateObjectMeta } from "../../apimachinery/object-meta-validation.ts";
import { changed, withGeneration } from "../default-strategy.ts";
import type { Strategy } from "../strategy.ts";

const metadataRules = { namespaced: false, validateName: dnsSubdomainName };

/** What policies have in common, whether they look at objects or change them. `old` is undefined for a new one. */
export function admissionPolicyStrategy(
  base: Strategy,
  policyErrors: (policy: KubeObject, old: KubeObject | undefined) => readonly FieldError[],
): Strategy {
  return {
    ...withGeneration(base, changed("spec")),
    metadataChecks: { create: "library", update: "own" },
    validate: (policy) => policyErrors(policy, undefined),
    validateUpdate: (policy, old) => [
      ...validateObjectMeta(policy.metadata, metadataRules),
      ...policyErrors(policy, old),
    ],
  };
}
