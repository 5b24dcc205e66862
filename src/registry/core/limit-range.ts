import { dnsSubdomainName } from "../../apimachinery/names.ts";
import type { Strategy } from "../strategy.ts";
import { limitRangeErrors } from "./limit-range-validation.ts";

/** Limit ranges say what one pod, container or claim of a namespace may ask for. */
export function limitRangeStrategy(base: Strategy): Strategy {
  return {
    ...base,
    validateName: dnsSubdomainName,
    validate: limitRangeErrors,
    validateUpdate: limitRangeErrors,
  };
}
