import { fieldNotSupported } from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt } from "../../../apimachinery/fields.ts";
import { formatTime } from "../../../apimachinery/time.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { statusOnlyStrategy } from "../../../registry/subresources/status-metadata.ts";
import { apiServiceErrors } from "./api-service-validation.ts";

const conditionStates: readonly string[] = ["True", "False", "Unknown"];

/** API services that no other server stands behind are available at once. Their name says what they serve. */
export function apiServiceStrategy(base: Strategy): Strategy {
  return {
    ...base,
    metadataChecks: { create: "own", update: "library" },
    prepareForCreate: (object, { now }) => {
      delete object["status"];
      if (objectAt(object, "spec", "service") !== undefined) return;
      object["status"] = { conditions: [localCondition(now)] };
    },
    validate: apiServiceErrors,
    validateUpdate: apiServiceErrors,
  };
}

/** `/status` says whether the server behind an API service answers. */
export function apiServiceStatusStrategy(base: Strategy): Strategy {
  return {
    ...statusOnlyStrategy(base),
    validateUpdate: (object) =>
      listAt(object, "status", "conditions").flatMap(({ status = "" }, i) => {
        if (conditionStates.includes(String(status))) return [];
        return [fieldNotSupported(child(index("status.conditions", i), "status"), status, conditionStates)];
      }),
  };
}

function localCondition(now: number): { readonly [key: string]: string } {
  return {
    type: "Available",
    status: "True",
    lastTransitionTime: formatTime(now),
    reason: "Local",
    message: "Local APIServices are always available",
  };
}
