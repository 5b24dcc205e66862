import { fieldNotSupported } from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt } from "../../../apimachinery/fields.ts";
import { formatTime } from "../../../apimachinery/time.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { statusOnlyStrategy } from "../../../registry/subresources/status-metadata.ts";
import { addApiServiceErrors } from "./api-service-validation.ts";

const conditionStates: readonly string[] = ["True", "False", "Unknown"];

/** An APIService without a service is served locally, so it is available from the start. */
export function apiServiceStrategy(base: Strategy): Strategy {
  return {
    ...base,
    metadataChecks: { create: "own", update: "library" },
    prepareForCreate: (object, { now }) => {
      delete object["status"];
      if (objectAt(object, "spec", "service") !== undefined) return;
      object["status"] = { conditions: [localCondition(now)] };
    },
    validate: addApiServiceErrors,
    validateUpdate: addApiServiceErrors,
  };
}

/** `/status` holds the availability of the server behind an APIService. */
export function apiServiceStatusStrategy(base: Strategy): Strategy {
  return {
    ...statusOnlyStrategy(base),
    validateUpdate: (errors, object) => {
      for (const [i, { status = "" }] of listAt(object, "status", "conditions").entries()) {
        if (conditionStates.includes(String(status))) continue;
        errors.push(
          fieldNotSupported(child(index("status.conditions", i), "status"), status, conditionStates),
        );
      }
    },
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
