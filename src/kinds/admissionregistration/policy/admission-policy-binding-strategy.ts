import type { FieldError } from "../../../apimachinery/errors/field.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import { validateObjectMeta } from "../../../apimachinery/validation/object-meta-validation.ts";
import { changed, withGeneration } from "../../../registry/contract/default-strategy.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";

const metadataRules = { namespaced: false, validateName: dnsSubdomainName };

/** What the bindings of validating and of mutating policies have in common. */
export function admissionPolicyBindingStrategy(
  base: Strategy,
  bindingErrors: (binding: KubeObject) => readonly FieldError[],
): Strategy {
  return {
    ...withGeneration(base, changed("spec")),
    metadataChecks: { create: "library", update: "own" },
    validate: bindingErrors,
    validateUpdate: (binding) => [
      ...validateObjectMeta(binding.metadata, metadataRules),
      ...bindingErrors(binding),
    ],
  };
}
