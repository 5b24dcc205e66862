import {
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { integerAt, numberAt, objectAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";

const maxQueues = 10_000_000;
const maxHashBits = 60;

/** Validates a limited priority level. Upstream: ValidateLimitedPriorityLevelConfiguration. */
export function addLimitedErrors(
  errors: Findings,
  limited: JsonObject,
  at: string,
  least: LeastShares,
): void {
  const borrowing = limited["borrowingLimitPercent"];
  const detail = "if specified, must be a non-negative integer";
  addSharesErrors(errors, limited, at, least);
  addResponseErrors(errors, structAt(limited, "limitResponse"), child(at, "limitResponse"));
  addLendableErrors(errors, limited, at);
  if (borrowing !== undefined && numberAt(limited, "borrowingLimitPercent") < 0) {
    errors.push(fieldInvalid(child(at, "borrowingLimitPercent"), borrowing, detail));
  }
}

/** Validates the shares of a priority level and the percentage that it lends. */
export function addSharesAndLendingErrors(errors: Findings, level: JsonObject, at: string): void {
  addSharesErrors(errors, level, at, 0);
  addLendableErrors(errors, level, at);
}

/** The shares that a limited level must have: none if the gate ZeroLimitedNominalConcurrencyShares allows that. */
export type LeastShares = 0 | 1;

function addSharesErrors(errors: Findings, level: JsonObject, at: string, least: LeastShares): void {
  const early = "assuredConcurrencyShares";
  const name = level[early] === undefined ? "nominalConcurrencyShares" : early;
  const shares = integerAt(level, name);
  if (shares >= least) return;
  const detail = least === 0 ? "must be a non-negative integer" : "must be positive";
  errors.push(fieldInvalid(child(at, name), shares, detail));
}

function addLendableErrors(errors: Findings, level: JsonObject, at: string): void {
  const percent = integerAt(level, "lendablePercent");
  if (percent >= 0 && percent <= 100) return;
  errors.push(fieldInvalid(child(at, "lendablePercent"), percent, "must be between 0 and 100, inclusive"));
}

function addResponseErrors(errors: Findings, response: JsonObject, at: string): void {
  const type = textAt(response, "type");
  const queuing = objectAt(response, "queuing");
  const field = child(at, "queuing");
  if (type === "Reject") {
    if (queuing === undefined) return;
    errors.push(fieldForbidden(field, "must be nil if limited.limitResponse.type is not Limited"));
    return;
  }
  if (type !== "Queue") errors.push(fieldNotSupported(child(at, "type"), type, ["Queue", "Reject"]));
  else if (queuing !== undefined) addQueuingErrors(errors, queuing, field);
  else errors.push(fieldRequired(field, "must not be empty if limited.limitResponse.type is Limited"));
}

function addQueuingErrors(errors: Findings, queuing: JsonObject, at: string): void {
  const [queues, handSize, length] = ["queues", "handSize", "queueLengthLimit"].map((name) =>
    numberAt(queuing, name),
  );
  if (length === undefined || length <= 0) {
    errors.push(fieldInvalid(child(at, "queueLengthLimit"), length, "must be positive"));
  }
  addQueueErrors(errors, queues ?? 0, child(at, "queues"));
  addHandSizeErrors(errors, handSize ?? 0, queues ?? 0, child(at, "handSize"));
}

function addQueueErrors(errors: Findings, queues: number, field: string): void {
  if (queues <= 0) errors.push(fieldInvalid(field, queues, "must be positive"));
  else if (queues > maxQueues) {
    errors.push(fieldInvalid(field, queues, `must not be greater than ${maxQueues}`));
  }
}

/** Shuffle sharding deals a hand from the bits of a hash, whose number is limited. */
function addHandSizeErrors(errors: Findings, handSize: number, queues: number, field: string): void {
  if (handSize <= 0) {
    errors.push(fieldInvalid(field, handSize, "must be positive"));
    return;
  }
  if (handSize > queues) {
    errors.push(fieldInvalid(field, handSize, `should not be greater than queues (${queues})`));
    return;
  }
  if (Math.ceil(Math.log2(queues) * handSize) <= maxHashBits) return;
  const detail = `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${maxHashBits}`;
  errors.push(fieldInvalid(field, handSize, detail));
}
