import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import { addObjectMetaErrors } from "../../../apimachinery/validation/object-meta-validation.ts";
import { changed, withGeneration } from "../../../registry/contract/default-strategy.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";

const metadataRules = { namespaced: false, validateName: dnsSubdomainName };

/** What the bindings of validating and of mutating policies have in common. */
export function admissionPolicyBindingStrategy(
  base: Strategy,
  addErrors: (errors: Findings, binding: KubeObject) => void,
): Strategy {
  return {
    ...withGeneration(base, changed("spec")),
    metadataChecks: { create: "library", update: "own" },
    validate: addErrors,
    validateUpdate: (errors, binding) => {
      addObjectMetaErrors(errors, binding.metadata, metadataRules);
      addErrors(errors, binding);
    },
  };
}
