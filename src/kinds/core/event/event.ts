import type { FieldError } from "../../../apimachinery/errors/field.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { looseEventErrors, strictEventErrors, strictEventUpdateErrors } from "./event-validation.ts";

/** Events are held by nobody, and by few rules when they come through the core group. */
export function eventStrategy(base: Strategy): Strategy {
  const validate = (event: KubeObject): readonly FieldError[] =>
    looseEventErrors(event, "reportingComponent");
  return {
    ...base,
    metadataChecks: { create: "own", update: "own" },
    garbageCollectionPolicy: undefined,
    validate,
    validateUpdate: validate,
  };
}

/** events.k8s.io/v1beta1 has a name of its own for a field, and no other rules. */
export function betaEventStrategy(strategy: Strategy): Strategy {
  const validate = (event: KubeObject): readonly FieldError[] =>
    looseEventErrors(event, "reportingController");
  return { ...strategy, validate, validateUpdate: validate };
}

/** events.k8s.io/v1 asks for all that an event shall have, and lets only series go on. */
export function strictEventStrategy(strategy: Strategy): Strategy {
  return { ...strategy, validate: strictEventErrors, validateUpdate: strictEventUpdateErrors };
}
