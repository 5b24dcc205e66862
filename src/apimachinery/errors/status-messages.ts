import { goQuote } from "../go/go-quote.ts";
import type { StatusReason } from "../status.ts";

/** The HTTP code of each reason. */
export const statusCodes: Readonly<Record<Exclude<StatusReason, "">, number>> = {
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  NotAcceptable: 406,
  AlreadyExists: 409,
  Conflict: 409,
  Gone: 410,
  Expired: 410,
  RequestEntityTooLarge: 413,
  UnsupportedMediaType: 415,
  Invalid: 422,
  TooManyRequests: 429,
  InternalError: 500,
  ServerTimeout: 500,
  StorageReadError: 500,
  ServiceUnavailable: 503,
  Timeout: 504,
};

/** The reason and message of a response that has only a code. */
export interface GenericMessage {
  readonly reason: StatusReason;
  readonly message: string;
}

const UNREPRESENTABLE = "the server was unable to respond with a content type that the client supports";

const GENERIC: ReadonlyMap<number, GenericMessage> = new Map([
  [400, { reason: "BadRequest", message: "the server rejected our request for an unknown reason" }],
  [401, { reason: "Unauthorized", message: "the server has asked for the client to provide credentials" }],
  [404, { reason: "NotFound", message: "the server could not find the requested resource" }],
  [
    405,
    {
      reason: "MethodNotAllowed",
      message: "the server does not allow this method on the requested resource",
    },
  ],
  [409, { reason: "Conflict", message: "the server reported a conflict" }],
  [422, { reason: "Invalid", message: "the server rejected our request due to an error in our request" }],
  [
    429,
    {
      reason: "TooManyRequests",
      message: "the server has received too many requests and has asked us to try again later",
    },
  ],
  [503, { reason: "ServiceUnavailable", message: "the server is currently unable to handle the request" }],
  [
    504,
    {
      reason: "Timeout",
      message:
        "the server was unable to return a response in the time allotted, but may still be processing the request",
    },
  ],
]);

/** The reason and message for a code. `serverText` is the text of the router or of a backend, if there is one. */
export function genericMessage(code: number, serverText: string): GenericMessage {
  const known = GENERIC.get(code);
  if (known !== undefined) return known;
  if (code === 403) return { reason: "Forbidden", message: serverText };
  if (code === 415) return { reason: "UnsupportedMediaType", message: serverText };
  if (code === 406) {
    const silent = serverText === "" || serverText === "unknown";
    return { reason: "NotAcceptable", message: silent ? UNREPRESENTABLE : serverText };
  }
  if (code >= 500) {
    return {
      reason: "InternalError",
      message: `an error on the server (${goQuote(serverText)}) has prevented the request from succeeding`,
    };
  }
  return {
    reason: "",
    message: `the server responded with the status code ${code} but did not return more information`,
  };
}
