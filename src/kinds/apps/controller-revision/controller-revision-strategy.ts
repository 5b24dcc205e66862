import type { StrategyEnvironment } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import {
  addControllerRevisionUpdateErrors,
  addNewControllerRevisionErrors,
} from "./controller-revision-validation.ts";

/** The strategy of ControllerRevisions, whose data is immutable. */
export function controllerRevisionStrategy(base: Strategy, { gates }: StrategyEnvironment): Strategy {
  return {
    ...base,
    validate: (errors, revision) => addNewControllerRevisionErrors(errors, revision, gates),
    validateUpdate: addControllerRevisionUpdateErrors,
  };
}
