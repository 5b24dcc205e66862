import type { Peer } from "./peer.ts";

/** The headers of a request. Names are case-insensitive. */
export interface HeaderLookup {
  /** The first value, or undefined when the header was not sent. */
  get(name: string): string | undefined;
  /** Every value, in the order sent. */
  getAll(name: string): readonly string[];
}

/**
 * A request as every transport hands it over. Its parts may be computed by a prototype, so derive another by naming
 * them: a spread would lose some.
 */
export interface ApiRequest {
  readonly method: string;
  /** Path and query, as sent: percent-encoding untouched. */
  readonly target: string;
  readonly headers: HeaderLookup;
  /**
   * Reads the body, whole; call it at most once.
   * @throws {BodyTooLargeError} as soon as more than `limit` bytes have come.
   */
  readonly body: (limit: number) => Promise<Uint8Array>;
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
}

/** What a response carries: nothing, one piece, several that follow each other, or a stream that ends when the server says so. */
export type ApiResponseBody = Uint8Array | readonly Uint8Array[] | AsyncIterable<Uint8Array> | undefined;

/**
 * A response as every transport receives it. Header names are in canonical casing and may repeat.
 * A transport that reads a streamed body to its end, or gives it up, calls `return()` of its iterator.
 */
export interface ApiResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: ApiResponseBody;
}

/** What every transport calls. It rejects with a ConnectionFailure, and never for any other reason: a failure is a response. */
export type Handler = (request: ApiRequest, peer: Peer) => Promise<ApiResponse>;

/** Thrown by `ApiRequest.body` when the client sends more than the limit. */
export class BodyTooLargeError extends Error {
  override readonly name = "BodyTooLargeError";

  /** By the name: a test runner that resets its modules gives the transport and the server a class each. */
  static override [Symbol.hasInstance](value: unknown): value is BodyTooLargeError {
    return value instanceof Error && value.name === "BodyTooLargeError";
  }
}
