/** What a mocking library shows of the `node:http` request that it made a Request of. */
export interface InterceptedClient {
  readonly destroyed: boolean;
  once(event: "close", listener: () => void): unknown;
  readonly socket?: InterceptedSocket | null;
}

/** The socket that the library gave it. */
interface InterceptedSocket {
  responseStream?: ObservedBody;
  _read?: () => void;
}

interface ObservedBody {
  push(piece: Uint8Array | null): unknown;
}

/**
 * The client of `node:http` behind a Request, in the interceptors of MSW 2 and nock 14, which tell nobody else when
 * it leaves. Undefined for clients of fetch, and where the Request's own signal says it. The interceptors export a
 * getter for it, but are nobody's direct dependency, so it is found by the name of its symbol.
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
 * Keeps the library from collecting a stream a second time, for listeners that seldom exist and never read it: what
 * it has is let be, and what comes goes to the client only. Also keeps Node from waiting, once for each piece, for a
 * connection that is never made. Cheap enough to be called for every piece.
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
