import type { Strategy } from "../../../registry/contract/strategy.ts";
import { addEventErrors, addStrictEventErrors, addStrictEventUpdateErrors } from "./event-validation.ts";

/** The strategy of events in the core group, which has few rules. Upstream: pkg/registry/core/event/strategy.go. */
export function eventStrategy(base: Strategy): Strategy {
  const validate: Strategy["validate"] = (errors, event) =>
    addEventErrors(errors, event, "reportingComponent");
  return {
    ...base,
    metadataChecks: { create: "own", update: "own" },
    garbageCollectionPolicy: undefined,
    validate,
    validateUpdate: validate,
  };
}

/** The strategy of events.k8s.io/v1beta1, in which one field has another name. */
export function betaEventStrategy(strategy: Strategy): Strategy {
  const validate: Strategy["validate"] = (errors, event) =>
    addEventErrors(errors, event, "reportingController");
  return { ...strategy, validate, validateUpdate: validate };
}

/** The strategy of events.k8s.io/v1, which requires more fields and allows updates of the series only. */
export function strictEventStrategy(strategy: Strategy): Strategy {
  return {
    ...strategy,
    validate: addStrictEventErrors,
    validateUpdate: addStrictEventUpdateErrors,
  };
}
