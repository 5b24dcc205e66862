/** What a mocking library exposes of the `node:http` request behind its Request. */
export interface InterceptedClient {
  readonly destroyed: boolean;
  /** Emits the error and closes the connection. */
  destroy(error: Error): unknown;
  once(event: "close", listener: () => void): unknown;
  readonly socket?: InterceptedSocket | null;
}

/** The socket that the library gave to the client. */
interface InterceptedSocket {
  responseStream?: ObservedBody;
  _read?: () => void;
}

interface ObservedBody {
  push(piece: Uint8Array | null): unknown;
}

/**
 * The `node:http` client behind a Request, in the interceptors of MSW 2 and nock 14, whose Request does not signal when
 * the client disconnects. Undefined for clients of fetch and where the Request's own signal works. The interceptors
 * export a getter for it, but they are only a transitive dependency, so the symbol is found by its name.
 */
export function clientBehind(request: Request): InterceptedClient | undefined {
  const symbol = Object.getOwnPropertySymbols(request).find((key) => key.description === "kRawRequest");
  const raw: unknown = symbol && Reflect.get(request, symbol);
  return isClient(raw) ? raw : undefined;
}

function isClient(raw: unknown): raw is InterceptedClient {
  return typeof raw === "object" && raw !== null && "socket" in raw && "once" in raw;
}

/**
 * Keeps the library from buffering a stream a second time for listeners that rarely exist and never read it, and keeps
 * Node from waiting, once per piece, for a connection that is never made. Cheap enough to call for every piece.
 */
export function stopObserving(client: InterceptedClient): void {
  const { socket } = client;
  const observed = socket?.responseStream;
  if (!socket || observed === undefined || observed instanceof EndOnly) return;
  socket.responseStream = new EndOnly(observed);
  socket._read = () => {};
}

class EndOnly implements ObservedBody {
  readonly #observed: ObservedBody;

  constructor(observed: ObservedBody) {
    this.#observed = observed;
  }

  push(piece: Uint8Array | null): void {
    if (piece === null) this.#observed.push(null);
  }
}
