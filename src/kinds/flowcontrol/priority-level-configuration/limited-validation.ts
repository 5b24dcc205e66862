import {
  type FieldError,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { integerAt, numberAt, objectAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";

const maxQueues = 10_000_000;
const maxHashBits = 60;

/** Validates a limited priority level. Upstream: ValidateLimitedPriorityLevelConfiguration. */
export function limitedErrors(limited: JsonObject, at: string): FieldError[] {
  const borrowing = limited["borrowingLimitPercent"];
  const detail = "if specified, must be a non-negative integer";
  return [
    ...sharesErrors(limited, at),
    ...responseErrors(structAt(limited, "limitResponse"), child(at, "limitResponse")),
    ...lendableErrors(limited, at),
    ...(borrowing !== undefined && numberAt(limited, "borrowingLimitPercent") < 0
      ? [fieldInvalid(child(at, "borrowingLimitPercent"), borrowing, detail)]
      : []),
  ];
}

/** Validates the shares of a priority level and the percentage that it lends. */
export function sharesAndLendingErrors(level: JsonObject, at: string): FieldError[] {
  return [...sharesErrors(level, at), ...lendableErrors(level, at)];
}

function sharesErrors(level: JsonObject, at: string): FieldError[] {
  const shares = integerAt(level, "nominalConcurrencyShares");
  if (shares >= 0) return [];
  return [fieldInvalid(child(at, "nominalConcurrencyShares"), shares, "must be a non-negative integer")];
}

function lendableErrors(level: JsonObject, at: string): FieldError[] {
  const percent = integerAt(level, "lendablePercent");
  if (percent >= 0 && percent <= 100) return [];
  return [fieldInvalid(child(at, "lendablePercent"), percent, "must be between 0 and 100, inclusive")];
}

function responseErrors(response: JsonObject, at: string): FieldError[] {
  const type = textAt(response, "type");
  const queuing = objectAt(response, "queuing");
  const field = child(at, "queuing");
  if (type === "Reject") {
    if (queuing === undefined) return [];
    return [fieldForbidden(field, "must be nil if limited.limitResponse.type is not Limited")];
  }
  if (type !== "Queue") return [fieldNotSupported(child(at, "type"), type, ["Queue", "Reject"])];
  if (queuing !== undefined) return queuingErrors(queuing, field);
  return [fieldRequired(field, "must not be empty if limited.limitResponse.type is Limited")];
}

function queuingErrors(queuing: JsonObject, at: string): FieldError[] {
  const [queues, handSize, length] = ["queues", "handSize", "queueLengthLimit"].map((name) =>
    numberAt(queuing, name),
  );
  return [
    ...(length !== undefined && length > 0
      ? []
      : [fieldInvalid(child(at, "queueLengthLimit"), length, "must be positive")]),
    ...queueErrors(queues ?? 0, child(at, "queues")),
    ...handSizeErrors(handSize ?? 0, queues ?? 0, child(at, "handSize")),
  ];
}

function queueErrors(queues: number, field: string): FieldError[] {
  if (queues <= 0) return [fieldInvalid(field, queues, "must be positive")];
  return queues > maxQueues ? [fieldInvalid(field, queues, `must not be greater than ${maxQueues}`)] : [];
}

/** Shuffle sharding deals a hand from the bits of a hash, whose number is limited. */
function handSizeErrors(handSize: number, queues: number, field: string): FieldError[] {
  if (handSize <= 0) return [fieldInvalid(field, handSize, "must be positive")];
  if (handSize > queues)
    return [fieldInvalid(field, handSize, `should not be greater than queues (${queues})`)];
  if (Math.ceil(Math.log2(queues) * handSize) <= maxHashBits) return [];
  const detail = `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${maxHashBits}`;
  return [fieldInvalid(field, handSize, detail)];
}
