import { fieldInvalid } from "../../../apimachinery/errors/field.ts";
import { structAt, textAt } from "../../../apimachinery/fields.ts";
import { configKeyMessages } from "../../../apimachinery/validation/value-formats.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { addLeaseCandidateErrors } from "./lease-candidate-validation.ts";

/** The strategy of LeaseCandidates, whose lease name is immutable. */
export function leaseCandidateStrategy(base: Strategy): Strategy {
  return {
    ...base,
    metadataChecks: { create: "library", update: "library" },
    validateName: configKeyMessages,
    validate: addLeaseCandidateErrors,
    validateUpdate: (errors, candidate, old) => {
      const name = textAt(structAt(candidate, "spec"), "leaseName");
      const isSame = name === textAt(structAt(old, "spec"), "leaseName");
      addLeaseCandidateErrors(errors, candidate);
      if (!isSame) errors.push(fieldInvalid("spec.leaseName", name, "field is immutable"));
    },
  };
}
