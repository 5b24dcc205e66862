import { goQuote } from "../go/go-quote.ts";
import {
  formatGroupKind,
  formatGroupResource,
  type GroupKind,
  type GroupResource,
} from "../group-version.ts";
import type { Status, StatusCause, StatusDetails, StatusReason } from "../status.ts";
import { aggregateMessage, type FieldCause } from "./field.ts";
import { genericMessage, statusCodes } from "./status-messages.ts";

/** The one error that leaves the server: a Status and its HTTP code. */
export class StatusError extends Error {
  override readonly name = "StatusError";
  readonly status: Status;
  readonly code: number;
  /** Additional headers of the response. */
  readonly headers: readonly (readonly [name: string, value: string])[];

  constructor(status: Status, headers: readonly (readonly [name: string, value: string])[] = []) {
    super(status.message ?? "");
    this.status = status;
    this.code = status.code ?? 500;
    this.headers = headers;
  }

  /**
   * Compares by name: a test runner that resets its modules loads this class twice, once for the test's faults and
   * once for the server.
   */
  static override [Symbol.hasInstance](value: unknown): value is StatusError {
    return value instanceof Error && value.name === "StatusError";
  }
}

/** `pods "web" not found`. */
export function notFound(gr: GroupResource, name: string): StatusError {
  return failure("NotFound", `${formatGroupResource(gr)} ${goQuote(name)} not found`, named(gr, name));
}

/** `pods "web" already exists`. */
export function alreadyExists(gr: GroupResource, name: string): StatusError {
  const message = `${formatGroupResource(gr)} ${goQuote(name)} already exists`;
  return failure("AlreadyExists", message, named(gr, name));
}

/** The error after all attempts to generate a free name. */
export function generateNameConflict(
  gr: GroupResource,
  name: string,
  retryAfterSeconds: number,
): StatusError {
  const taken = `${formatGroupResource(gr)} ${goQuote(name)} already exists`;
  const message = `${taken}, the server was not able to generate a unique name for the object`;
  return failure("AlreadyExists", message, { ...named(gr, name), retryAfterSeconds });
}

/** A write of an object that has changed: `Operation cannot be fulfilled on pods "web": ...`. */
export function conflict(gr: GroupResource, name: string, text: string): StatusError {
  const message = `Operation cannot be fulfilled on ${formatGroupResource(gr)} ${goQuote(name)}: ${text}`;
  return failure("Conflict", message, named(gr, name));
}

/** An apply of fields that another manager owns; the causes name them. */
export function applyConflict(message: string, causes: readonly StatusCause[]): StatusError {
  return failure("Conflict", message, { causes });
}

/** A denied request. The resource is empty for requests outside the API, the name for requests about a collection. */
export function forbidden(gr: GroupResource, name: string, text: string): StatusError {
  return failure("Forbidden", `${forbiddenSubject(gr, name)}: ${text}`, named(gr, name));
}

function forbiddenSubject(gr: GroupResource, name: string): string {
  if (gr.resource === "") return "forbidden";
  if (name === "") return `${formatGroupResource(gr)} is forbidden`;
  return `${formatGroupResource(gr)} ${goQuote(name)} is forbidden`;
}

/** A request that the server does not understand. */
export function badRequest(message: string): StatusError {
  return failure("BadRequest", message);
}

/** Missing or wrong credentials; the message does not say which. */
export function unauthorized(): StatusError {
  return failure("Unauthorized", "Unauthorized");
}

/** A resource that no longer exists and will not come back. */
export function gone(message: string): StatusError {
  return failure("Gone", message);
}

/**
 * A revision that has been compacted. A continue token, if given, lets the client continue with an inconsistent list.
 */
export function expired(message: string, continueToken = ""): StatusError {
  const error = failure("Expired", message);
  if (continueToken === "") return error;
  return new StatusError({ ...error.status, metadata: { continue: continueToken } });
}

/** An object that fails validation, with one cause for each field error. */
export function invalid(gk: GroupKind, name: string, fieldErrors: readonly FieldCause[]): StatusError {
  const subject = `${formatGroupKind(gk)} ${goQuote(name)} is invalid`;
  const message = fieldErrors.length === 0 ? subject : `${subject}: ${aggregateMessage(fieldErrors)}`;
  const causes = fieldErrors.map(({ type, field, body }) => cause(type, body, field));
  return failure("Invalid", message, { name, group: gk.group, kind: gk.kind, causes });
}

/** A verb that the resource does not support. */
export function methodNotAllowed(gr: GroupResource, action: string): StatusError {
  const message = `${action} is not supported on resources of kind ${goQuote(formatGroupResource(gr))}`;
  return failure("MethodNotAllowed", message, named(gr, ""));
}

/** A request whose Accept header names no supported media type. */
export function notAcceptable(message: string): StatusError {
  return failure("NotAcceptable", message);
}

/** A body in an unsupported media type. */
export function unsupportedMediaType(message: string): StatusError {
  return failure("UnsupportedMediaType", message);
}

/** A body that exceeds the limit. */
export function requestEntityTooLarge(message: string): StatusError {
  return failure("RequestEntityTooLarge", `Request entity too large: ${message}`);
}

/** A storage operation that did not complete; the client may retry it. */
export function serverTimeout(gr: GroupResource, operation: string, retryAfterSeconds: number): StatusError {
  const subject = `The ${operation} operation against ${formatGroupResource(gr)}`;
  const message = `${subject} could not be completed at this time, please try again.`;
  return failure("ServerTimeout", message, { ...named(gr, operation), retryAfterSeconds });
}

/** An operation that exceeded its timeout. */
export function timeout(
  message: string,
  retryAfterSeconds: number,
  causes: readonly StatusCause[] = [],
): StatusError {
  return failure("Timeout", `Timeout: ${message}`, { causes, retryAfterSeconds });
}

/** More requests than the server, or a disruption budget, allows at the moment. */
export function tooManyRequests(message: string, retryAfterSeconds: number): StatusError {
  return failure("TooManyRequests", message, { retryAfterSeconds });
}

/** A failure of the server itself or of a component that it called. */
export function internalError(text: string): StatusError {
  return failure("InternalError", `Internal error occurred: ${text}`, { causes: [{ message: text }] });
}

/** A component that the server depends on is unavailable. */
export function serviceUnavailable(message: string): StatusError {
  return failure("ServiceUnavailable", message);
}

/** The answer when no handler ran. `routerText` is the message for codes without a generic one. */
export function genericServerResponse(code: number, routerText = ""): StatusError {
  const { reason, message } = genericMessage(code, routerText);
  return new StatusError(statusOf(code, reason, message, {}));
}

/** An error with a code and a message, without a reason and details. */
export function plainError(code: number, message: string): StatusError {
  return new StatusError(statusOf(code, "", message, undefined));
}

/** The error with further details: causes, or when to retry. */
export function withDetails(error: StatusError, details: StatusDetails): StatusError {
  const merged = orderedDetails({ ...error.status.details, ...details });
  const { code = error.code, reason = "", message = "" } = error.status;
  const status = statusOf(code, reason, message, merged);
  return new StatusError({ ...status, metadata: error.status.metadata }, error.headers);
}

function failure(reason: Exclude<StatusReason, "">, message: string, details?: StatusDetails): StatusError {
  return new StatusError(statusOf(statusCodes[reason], reason, message, details));
}

/** Text for JSON, where Go writes bytes that are not UTF-8 as U+FFFD. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}

function statusOf(
  code: number,
  reason: StatusReason,
  message: string,
  details: StatusDetails | undefined,
): Status {
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    ...(message !== "" && { message: wellFormed(message) }),
    ...(reason !== "" && { reason }),
    ...(details !== undefined && { details: orderedDetails(details) }),
    code,
  };
}

/** The fields in wire order, without empty ones. */
function orderedDetails(details: StatusDetails): StatusDetails {
  const { name, group, kind, uid, causes, retryAfterSeconds } = details;
  return {
    ...(name && { name: wellFormed(name) }),
    ...(group && { group }),
    ...(kind && { kind }),
    ...(uid && { uid }),
    ...(causes && causes.length > 0 && { causes }),
    ...(retryAfterSeconds && { retryAfterSeconds }),
  };
}

function named(gr: GroupResource, name: string): StatusDetails {
  return { name, group: gr.group, kind: gr.resource };
}

function cause(reason: string, message: string, field: string): StatusCause {
  return { reason, message, ...(field !== "" && { field }) };
}
