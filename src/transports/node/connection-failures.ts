import { constants, type Http2Session } from "node:http2";
import type { Socket } from "node:net";
import { unfaked } from "../../apimachinery/clock.ts";
import type { ConnectionFailureKind } from "../../request/connection-failure.ts";
import type { Exchange } from "./exchange.ts";

const nextTurn = unfaked(setImmediate, "setImmediate");
const startTimeout = unfaked(setTimeout, "setTimeout");
const readMilliseconds = 20;

/** The connections that a fault can do something to. */
export interface FailingConnections {
  /** The socket below TLS that an answer goes over. */
  rawSocketOf(exchange: Exchange): Socket | undefined;
  /** The answers that are under way on the same connection, this one among them. */
  sharing(exchange: Exchange): Iterable<Exchange>;
  /** Keeps a socket that nobody reads any more, until the port closes. */
  keepFrozen(socket: Socket): void;
}

/** Does to the connection of an answer what is said of it. What was written before gets to the client. */
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
    // HTTP/2 begins again when it has written what is under way.
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

/** With a RST, when the client has had time to read what came before: it may lose what it has not, or take it for the end. */
function resetSoon(socket: Socket): void {
  whenRead(() => socket.resetAndDestroy());
}

function goAway(session: Http2Session, lastStream: number, socket: Socket): void {
  session.goaway(constants.NGHTTP2_NO_ERROR, lastStream);
  whenRead(() => socket.destroy());
}

/** Calls back when clients have had time to read what has been written, and those in this process a turn to do so. */
function whenRead(callback: () => void): void {
  startTimeout(() => nextTurn(callback), readMilliseconds);
}

/**
 * Leaves what comes in the buffers of the kernel, whoever reads the handle: pausing the socket would not keep TLS and HTTP/2
 * from it, which read it themselves. Node has no public name for it.
 */
function stopReading(socket: Socket): void {
  const handle: unknown = Reflect.get(socket, "_handle");
  if (typeof handle !== "object" || handle === null) return;
  const readStop: unknown = Reflect.get(handle, "readStop");
  if (typeof readStop === "function") readStop.call(handle);
}
