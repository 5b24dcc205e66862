import { changed, withGeneration } from "../../../registry/contract/default-strategy.ts";
import { withGatedFields } from "../../../registry/contract/gated-fields.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { gatedSliceFields } from "./gated-slice-fields.ts";
import { addResourceSliceErrors } from "./resource-slice-validation.ts";

export function resourceSliceStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  return {
    ...withGatedFields(withGeneration(base, changed("spec")), gates, gatedSliceFields),
    validate: addResourceSliceErrors,
    validateUpdate: addResourceSliceErrors,
  };
}
