import type { Strategy } from "../../../registry/contract/strategy.ts";
import {
  controllerRevisionErrors,
  controllerRevisionUpdateErrors,
} from "./controller-revision-validation.ts";

/** The strategy of ControllerRevisions, whose data is immutable. */
export function controllerRevisionStrategy(base: Strategy): Strategy {
  return { ...base, validate: controllerRevisionErrors, validateUpdate: controllerRevisionUpdateErrors };
}
