/**
 * What becomes of a client's connection:
 * - `refused`: nobody listens.
 * - `reset`: it is reset, and with it all that is under way on it.
 * - `streamReset`: the same of this request alone, where a connection carries several.
 * - `goneAway`: HTTP/2 says GOAWAY and closes it under the request; elsewhere it is closed.
 * - `frozen`: it stays open, and nothing comes over it any more.
 */
export type ConnectionFate = "refused" | "reset" | "streamReset" | "goneAway" | "frozen";

/** What Node says of each. */
const errors: { readonly [fate in ConnectionFate]: { readonly code: string; readonly message: string } } = {
  refused: { code: "ECONNREFUSED", message: "connect ECONNREFUSED" },
  reset: { code: "ECONNRESET", message: "read ECONNRESET" },
  streamReset: { code: "ECONNRESET", message: "read ECONNRESET" },
  goneAway: { code: "ECONNRESET", message: "socket hang up" },
  frozen: { code: "ETIMEDOUT", message: "read ETIMEDOUT" },
};

/**
 * There is no answer, or no more of it. Only faults throw it: a handler in place of an answer, or a streamed body in
 * place of its rest. Transports do to the connection what it says, and clients in the same process meet it as the error
 * that their own transport would have given them.
 */
export class ConnectionFailure extends Error {
  override readonly name = "ConnectionFailure";
  readonly fate: ConnectionFate;
  /** As Node's own network errors have it. */
  readonly code: string;

  constructor(fate: ConnectionFate) {
    const { code, message } = errors[fate];
    super(message);
    this.fate = fate;
    this.code = code;
  }

  /** Whether an error says that nothing more comes, and no end either: whoever waits, waits until the client leaves. */
  static isFrozen(error: unknown): boolean {
    return error instanceof ConnectionFailure && error.fate === "frozen";
  }

  /** By the name: a test runner that resets its modules gives the transport and the server a class each. */
  static override [Symbol.hasInstance](value: unknown): value is ConnectionFailure {
    return value instanceof Error && value.name === "ConnectionFailure";
  }
}
