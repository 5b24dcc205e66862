import type { JsonValue } from "./json.ts";

/** Why a request failed, in one word. The empty string is upstream's `StatusReasonUnknown`. */
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
  | "StoreReadError"
  | "ServiceUnavailable";

export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** The answer to a request that has no object: every failure, and some successes. */
export interface Status {
  readonly kind: "Status";
  readonly apiVersion: "v1";
  readonly metadata: { readonly [key: string]: JsonValue };
  readonly status: "Success" | "Failure";
  readonly message?: string;
  readonly reason?: Exclude<StatusReason, "">;
  readonly details?: StatusDetails;
  readonly code?: number;
}
