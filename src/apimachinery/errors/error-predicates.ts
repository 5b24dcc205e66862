import type { StatusReason } from "../status.ts";
import { StatusError } from "./errors.ts";
import { statusCodes } from "./status-messages.ts";

/**
 * Whether the error is a Status with this reason. With `byCode`, a Status without a reason also matches by its code.
 */
function hasReason(error: unknown, reason: Exclude<StatusReason, "">, byCode: boolean): error is StatusError {
  if (!(error instanceof StatusError)) return false;
  if (error.status.reason !== undefined) return error.status.reason === reason;
  return byCode && error.code === statusCodes[reason];
}

/** Whether the object, or the resource, does not exist. */
export function isNotFound(error: unknown): error is StatusError {
  return hasReason(error, "NotFound", true);
}

/** Whether an object of that name exists already. */
export function isAlreadyExists(error: unknown): error is StatusError {
  return hasReason(error, "AlreadyExists", false);
}

/** Whether the object has changed since the client read it. */
export function isConflict(error: unknown): error is StatusError {
  return hasReason(error, "Conflict", true);
}

/** Whether authorization or admission refused the request. */
export function isForbidden(error: unknown): error is StatusError {
  return hasReason(error, "Forbidden", true);
}

/** Whether the requested history has been compacted. */
export function isExpired(error: unknown): error is StatusError {
  return hasReason(error, "Expired", false) || hasReason(error, "Gone", true);
}

/** Whether the client has to retry later. */
export function isTooManyRequests(error: unknown): error is StatusError {
  return hasReason(error, "TooManyRequests", true);
}
