import { badRequest, type Refusal, refusal, unsupportedEncoding, unsupportedVersion } from "./refusal.ts";

/** An error of Node's parser of HTTP/1.1, which is llhttp. */
export interface ParseError extends NodeJS.ErrnoException {
  readonly reason?: string;
}

/** Whether the client sent something that is not HTTP, and not only nothing. */
export function isParseError({ code = "" }: ParseError): boolean {
  return code.startsWith("HPE_");
}

/**
 * Go's answer to a message that is not HTTP; undefined if Go ignores it. A message with a length and chunks, or with the same
 * length twice, is refused here, as RFC 9112 (6.3) allows: llhttp stops at it, while Go reads it.
 */
export function refusalOfError({ code, reason = "" }: ParseError): Refusal | undefined {
  switch (code) {
    case "HPE_CLOSED_CONNECTION":
      return undefined;
    case "HPE_HEADER_OVERFLOW":
      return refusal(431, "Request Header Fields Too Large");
    case "HPE_INVALID_TRANSFER_ENCODING":
      return reason.includes("Content-Length") ? badRequest : unsupportedEncoding;
    case "HPE_INVALID_VERSION":
      return reason === "Invalid HTTP version" ? unsupportedVersion : badRequest;
    default:
      return badRequest;
  }
}

/** What Go reports when it reads a body with invalid chunks. Source: net/http/internal/chunked.go. */
export function chunkErrorOf({ code, reason = "" }: ParseError): string {
  if (code !== "HPE_INVALID_CHUNK_SIZE") return "malformed chunked encoding";
  return reason.includes("overflow") ? "http chunk length too large" : "invalid byte in chunk length";
}
