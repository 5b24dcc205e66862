import type { FieldError } from "../../../apimachinery/errors/field.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import { validateObjectMeta } from "../../../apimachinery/validation/object-meta-validation.ts";
import { changed, withGeneration } from "../../../registry/contract/default-strategy.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";

const metadataRules = { namespaced: false, validateName: dnsSubdomainName };

/** What validating and mutating policies have in common. `old` is undefined on create. */
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
