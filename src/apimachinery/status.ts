import type { JsonObject } from "./json.ts";

/** The reason of a failure in one word. The empty string is upstream's `StatusReasonUnknown`. */
export type StatusReason =
  | ""
  | "Unauthorized"
  | "Forbidden"
  | "NotFound"
  | "AlreadyExists"
  | "Conflict"
  | "Gone"
  | "Expired"
  | "Invalid"
  | "ServerTimeout"
  | "Timeout"
  | "TooManyRequests"
  | "BadRequest"
  | "MethodNotAllowed"
  | "NotAcceptable"
  | "RequestEntityTooLarge"
  | "UnsupportedMediaType"
  | "InternalError"
  | "StorageReadError"
  | "ServiceUnavailable";

export interface StatusCause extends JsonObject {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

export interface StatusDetails extends JsonObject {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** The response to a request that returns no object: every failure, and some successes. */
export interface Status extends JsonObject {
  readonly kind: "Status";
  readonly apiVersion: "v1";
  readonly metadata: JsonObject;
  readonly status: "Success" | "Failure";
  readonly message?: string;
  readonly reason?: Exclude<StatusReason, "">;
  readonly details?: StatusDetails;
  readonly code?: number;
}
