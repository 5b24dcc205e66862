import { type IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import type { Server, Socket } from "node:net";
import type { ApiRequest } from "../../request/handler.ts";
import type { Peer } from "../../request/peer.ts";
import { Exchange, type Incoming, type Outgoing } from "./exchange.ts";
import { peerFromIncomingMessage, requestFromIncomingMessage } from "./incoming-message.ts";
import { WriteTurn } from "./write-turn.ts";

/** The connection of a client that requests another protocol on it. */
export interface UpgradeConnection {
  readonly socket: Socket;
  /** Bytes that were read after the request headers. */
  readonly head: Uint8Array;
}

/**
 * Takes over a connection whose client requests another protocol, and returns `true`. If it returns `false`, it must not
 * have touched the connection: the request is then answered like any other.
 */
export type Upgrade = (request: ApiRequest, peer: Peer, connection: UpgradeConnection) => Promise<boolean>;

/**
 * Offers connections to `upgrade`. Without it, HTTP/1.1 requests for another protocol are ordinary requests on a
 * connection that stays open; only CONNECT always loses its connection.
 */
export function listenForUpgrades(
  server: Server,
  answer: (message: Incoming, response: Outgoing) => void,
  upgrade: Upgrade | undefined,
): void {
  server.on("connect", (...event: [IncomingMessage, Socket] | [Http2ServerRequest, Http2ServerResponse]) => {
    if (isHttp2(event)) {
      answer(...event);
      return;
    }
    const [message, socket] = event;
    answer(message, lastResponse(message, socket));
  });
  if (upgrade === undefined) return;
  server.on("upgrade", (message: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on("error", () => {});
    // Never sent. It only signals to the request that the client disconnected.
    const presence = new ServerResponse(message);
    socket.once("close", () => presence.emit("close"));
    const request = requestFromIncomingMessage(new Exchange(message, presence, new WriteTurn()));
    upgrade(request, peerFromIncomingMessage(message), { socket, head }).then(
      (isTaken) => {
        if (!isTaken) answer(message, lastResponse(message, socket));
      },
      () => socket.destroy(),
    );
  });
}

function isHttp2(event: readonly [Incoming, unknown]): event is [Http2ServerRequest, Http2ServerResponse] {
  return "stream" in event[0];
}

/** A response on a connection that Node's server no longer manages; the connection closes after it. */
function lastResponse(message: IncomingMessage, socket: Socket): ServerResponse {
  const response = new ServerResponse(message);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once("finish", () => socket.destroySoon());
  socket.on("drain", () => response.emit("drain"));
  socket.on("error", () => {});
  // A socket reports a disconnect only while it is being read.
  socket.on("end", () => socket.destroy());
  socket.resume();
  return response;
}
