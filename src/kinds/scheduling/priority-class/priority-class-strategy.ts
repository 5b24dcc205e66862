import { withGeneration } from "../../../registry/contract/default-strategy.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { addPriorityClassErrors, addPriorityClassUpdateErrors } from "./priority-class-validation.ts";

/** The strategy of PriorityClasses. Their generation is always 1. */
export function priorityClassStrategy(base: Strategy): Strategy {
  return withGeneration(
    {
      ...base,
      validate: addPriorityClassErrors,
      validateUpdate: addPriorityClassUpdateErrors,
    },
    () => false,
  );
}
