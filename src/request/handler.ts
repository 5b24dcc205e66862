import type { JsonObject } from "../apimachinery/json.ts";
import type { Peer } from "./peer.ts";

/** The headers of a request. Names are case-insensitive. */
export interface HeaderLookup {
  /** The first value, or undefined when the header was not sent. */
  get(name: string): string | undefined;
  /** Every value, in the order sent. */
  getAll(name: string): readonly string[];
  /**
   * Every header whose name starts with this prefix in lower case, in the order sent: its name in lower case and its value. Every name
   * starts with the empty prefix.
   */
  startingWith(prefix: string): readonly (readonly [name: string, value: string])[];
}

/** A place among the requests in flight. */
export interface Seat {
  /** Frees the place, once. */
  leave(): void;
}

/**
 * A request as every transport hands it over. Members may be getters of a prototype, so copy them by name: a spread would
 * lose some.
 */
export interface ApiRequest {
  readonly method: string;
  /** Path and query, as sent: percent-encoding untouched. */
  readonly target: string;
  readonly headers: HeaderLookup;
  /**
   * Reads the body, whole; call it at most once.
   * @throws {BodyTooLargeError} as soon as more than `limit` bytes have come.
   * @throws {BrokenBodyError} if its rest cannot come.
   */
  readonly body: (limit: number) => Promise<Uint8Array>;
  /**
   * The body as a value that is the same in JSON, from a part of the server. It takes the answer as a document, too, where there is one.
   * `body` has the same content.
   *
   * @internal
   */
  readonly document?: JsonObject | undefined;
  /** The body piece by piece and of any length, instead of `body`. Absent where the body has come whole. */
  readonly pieces?: () => AsyncIterable<Uint8Array>;
  /**
   * What the client sends after the head of a request for another protocol. A response of 101 with a stream then has the
   * connection. Absent where the transport cannot hand a connection over.
   */
  readonly connection?: (() => AsyncIterable<Uint8Array>) | undefined;
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
  /**
   * Keeps a seat until the client has taken the whole response, or has left. Absent where responses are handed over in one
   * step: such requests are never in flight.
   */
  readonly occupy?: (seat: Seat) => void;
}

/** The body of a response: nothing, one piece, several pieces in order, or a stream. */
export type ApiResponseBody = Uint8Array | readonly Uint8Array[] | AsyncIterable<Uint8Array> | undefined;

/**
 * A response as every transport receives it. Header names are in canonical casing and may repeat.
 * If the request asks for a WebSocket, each piece of a watch is one event: a message.
 * A transport that has read a streamed body to its end, or stops reading it, calls `return()` of its iterator.
 */
export interface ApiResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: ApiResponseBody;
  /**
   * The answer to a request with a document, instead of a body. It is frozen.
   *
   * @internal
   */
  readonly document?: JsonObject;
  /** A transport that can open a WebSocket does so instead of sending the response. */
  readonly webSocket?: WebSocketConversation;
}

/** What is said on a WebSocket. */
export interface WebSocketConversation {
  /** The subprotocol that the server selects; empty for none. */
  readonly protocol: string;
  /** The type of the server's messages. */
  readonly type: "text" | "binary";
  /**
   * What the server says, while it reads what the client says at its own pace. The connection closes after the last message. A
   * transport that stops reading a stream calls `return()` of its iterator.
   */
  readonly messages: (
    received: AsyncIterable<Uint8Array>,
  ) => AsyncIterable<Uint8Array> | readonly Uint8Array[];
}

/**
 * What every transport calls. It rejects with a ConnectionFailure, or if the cluster cannot start because of its initial
 * objects; every other failure is a response.
 */
export type Handler = (request: ApiRequest, peer: Peer) => Promise<ApiResponse>;

/** Thrown by `ApiRequest.body` when the client sends more than the limit. */
export class BodyTooLargeError extends Error {
  override readonly name = "BodyTooLargeError";

  /** Compares names: after a test runner resets modules, the transport and the server have different classes. */
  static override [Symbol.hasInstance](value: unknown): value is BodyTooLargeError {
    return value instanceof Error && value.name === "BodyTooLargeError";
  }
}

/**
 * Thrown by `ApiRequest.body` when the rest of the body cannot come: it is malformed, and the message says how, in the words of
 * Go's server; or it is late.
 */
export class BrokenBodyError extends Error {
  override readonly name = "BrokenBodyError";
  readonly kind: "malformed" | "late";

  constructor(kind: "malformed" | "late", message: string) {
    super(message);
    this.kind = kind;
  }

  /** Compares names, as above. */
  static override [Symbol.hasInstance](value: unknown): value is BrokenBodyError {
    return value instanceof Error && value.name === "BrokenBodyError";
  }
}
