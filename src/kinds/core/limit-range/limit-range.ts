import { dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import { addMetadataErrors } from "../../../registry/contract/metadata-errors.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { addLimitRangeErrors } from "./limit-range-validation.ts";

const metadataRules = { namespaced: true, validateName: dnsSubdomainName };

/** The strategy of limit ranges. Upstream: pkg/registry/core/limitrange/strategy.go. */
export function limitRangeStrategy(base: Strategy): Strategy {
  return {
    ...base,
    metadataChecks: { create: "core", update: "own" },
    validate: addLimitRangeErrors,
    validateUpdate: (errors, object) => {
      addMetadataErrors(errors, object, metadataRules);
      addLimitRangeErrors(errors, object);
    },
  };
}
