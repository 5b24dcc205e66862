import { dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import { metadataErrors } from "../../../registry/contract/metadata-errors.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { limitRangeErrors } from "./limit-range-validation.ts";

const metadataRules = { namespaced: true, validateName: dnsSubdomainName };

/** The strategy of limit ranges. Upstream: pkg/registry/core/limitrange/strategy.go. */
export function limitRangeStrategy(base: Strategy): Strategy {
  return {
    ...base,
    metadataChecks: { create: "core", update: "own" },
    validate: limitRangeErrors,
    validateUpdate: (object) => [...metadataErrors(object, metadataRules), ...limitRangeErrors(object)],
  };
}
