import type { Strategy } from "../../../registry/contract/strategy.ts";
import { addClaimParametersErrors, addClassParametersErrors } from "./parameters-validation.ts";

/** The strategy of ResourceClaimParameters, which exist in 1.30. */
export function claimParametersStrategy(base: Strategy): Strategy {
  return { ...base, validate: addClaimParametersErrors, validateUpdate: addClaimParametersErrors };
}

/** The strategy of ResourceClassParameters, which exist in 1.30. */
export function classParametersStrategy(base: Strategy): Strategy {
  return { ...base, validate: addClassParametersErrors, validateUpdate: addClassParametersErrors };
}
