import { constants, type Http2Session } from "node:http2";
import type { Socket } from "node:net";
// Not the global, which jsdom does not have.
import { setImmediate } from "node:timers";
import { unfaked } from "../../apimachinery/clock.ts";
import type { ConnectionFailureKind } from "../../request/connection-failure.ts";
import type { Exchange } from "./exchange.ts";

const nextTurn = unfaked(setImmediate, "setImmediate");
const startTimeout = unfaked(setTimeout, "setTimeout");
const readMilliseconds = 20;

/** The connections that a fault can fail. */
export interface FailingConnections {
  /** The socket below TLS that carries an answer. */
  rawSocketOf(exchange: Exchange): Socket | undefined;
  /** The answers in flight on the same connection, including this one. */
  sharing(exchange: Exchange): Iterable<Exchange>;
  /** Keeps a socket that is no longer read until the port closes. */
  keepFrozen(socket: Socket): void;
}

/** Fails the connection of an answer. Data written before still reaches the client. */
export function failConnection(
  kind: ConnectionFailureKind,
  exchange: Exchange,
  connections: FailingConnections,
): void {
  const { stream } = exchange;
  const socket = connections.rawSocketOf(exchange);
  if (socket === undefined) {
    exchange.destroy();
  } else if (kind === "frozen") {
    for (const other of connections.sharing(exchange)) other.freeze();
    stopReading(socket);
    // HTTP/2 resumes once it has written the data in flight.
    nextTurn(() => nextTurn(() => stopReading(socket)));
    startTimeout(() => stopReading(socket), readMilliseconds);
    connections.keepFrozen(socket);
  } else if (kind === "goneAway" && stream?.session) {
    goAway(stream.session, stream.id ?? 0, socket);
  } else if (kind === "goneAway" || (kind === "streamReset" && stream !== undefined)) {
    exchange.destroy();
  } else {
    resetSoon(socket);
  }
}

/** Sends a RST once the client has had time to read earlier data, which it could otherwise lose or mistake for the end. */
function resetSoon(socket: Socket): void {
  whenRead(() => socket.resetAndDestroy());
}

function goAway(session: Http2Session, lastStream: number, socket: Socket): void {
  session.goaway(constants.NGHTTP2_NO_ERROR, lastStream);
  whenRead(() => socket.destroy());
}

/** Calls back when clients have had time to read what was written, and clients in this process a turn. */
function whenRead(callback: () => void): void {
  startTimeout(() => nextTurn(callback), readMilliseconds);
}

/**
 * Leaves incoming data in the kernel's buffers: pausing the socket would not stop TLS and HTTP/2, which read the handle
 * themselves. Node has no public API for it.
 */
function stopReading(socket: Socket): void {
  const handle: unknown = Reflect.get(socket, "_handle");
  if (typeof handle !== "object" || handle === null) return;
  const readStop: unknown = Reflect.get(handle, "readStop");
  if (typeof readStop === "function") readStop.call(handle);
}
