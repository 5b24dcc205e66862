/**
 * How a client's connection fails:
 * - `refused`: nothing listens on the port.
 * - `reset`: the connection is reset, with every request on it.
 * - `streamReset`: only this request is reset, where a connection carries several.
 * - `goneAway`: HTTP/2 sends GOAWAY and closes the connection while the request is in flight; HTTP/1.1 closes it.
 * - `frozen`: the connection stays open, and nothing more arrives.
 */
export type ConnectionFailureKind = "refused" | "reset" | "streamReset" | "goneAway" | "frozen";

/** Node's error for each. */
const errors: {
  readonly [kind in ConnectionFailureKind]: { readonly code: string; readonly message: string };
} = {
  refused: { code: "ECONNREFUSED", message: "connect ECONNREFUSED" },
  reset: { code: "ECONNRESET", message: "read ECONNRESET" },
  streamReset: { code: "ECONNRESET", message: "read ECONNRESET" },
  goneAway: { code: "ECONNRESET", message: "socket hang up" },
  frozen: { code: "ETIMEDOUT", message: "read ETIMEDOUT" },
};

/**
 * The connection fails before or during a response. Only faults throw it: a handler instead of a response, or a
 * streamed body instead of its rest. Transports fail the connection accordingly; clients in the same process get the
 * error that their own transport would report.
 */
export class ConnectionFailure extends Error {
  override readonly name = "ConnectionFailure";
  readonly kind: ConnectionFailureKind;
  /** The code of Node's network error. */
  readonly code: string;

  constructor(kind: ConnectionFailureKind) {
    const { code, message } = errors[kind];
    super(message);
    this.kind = kind;
    this.code = code;
  }

  /** Whether an error means that the stream neither continues nor ends: its reader waits until the client disconnects. */
  static isFrozen(error: unknown): boolean {
    return error instanceof ConnectionFailure && error.kind === "frozen";
  }

  /** Compares names: after a test runner resets modules, the transport and the server have different classes. */
  static override [Symbol.hasInstance](value: unknown): value is ConnectionFailure {
    return value instanceof Error && value.name === "ConnectionFailure";
  }
}
