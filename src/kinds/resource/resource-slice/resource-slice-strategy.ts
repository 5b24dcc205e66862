import { changed, withGeneration } from "../../../registry/contract/default-strategy.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { addResourceSliceErrors } from "./resource-slice-validation.ts";

export function resourceSliceStrategy(base: Strategy): Strategy {
  return {
    ...withGeneration(base, changed("spec")),
    validate: addResourceSliceErrors,
    validateUpdate: addResourceSliceErrors,
  };
}
