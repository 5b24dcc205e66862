import type { Strategy } from "../../../registry/contract/strategy.ts";
import {
  addControllerRevisionErrors,
  addControllerRevisionUpdateErrors,
} from "./controller-revision-validation.ts";

/** The strategy of ControllerRevisions, whose data is immutable. */
export function controllerRevisionStrategy(base: Strategy): Strategy {
  return {
    ...base,
    validate: addControllerRevisionErrors,
    validateUpdate: addControllerRevisionUpdateErrors,
  };
}
