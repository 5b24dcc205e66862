import { type IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import type { Server, Socket } from "node:net";
import type { ApiRequest } from "../../request/handler.ts";
import type { Peer } from "../../request/peer.ts";
import { Exchange, type Incoming, type Outgoing } from "./exchange.ts";
import { peerFromIncomingMessage, requestFromIncomingMessage } from "./incoming-message.ts";

/** The connection of a client that asks to speak another protocol on it. */
export interface UpgradeConnection {
  readonly socket: Socket;
  /** What has been read beyond the head of the request. */
  readonly head: Uint8Array;
}

/**
 * Takes over a connection whose client asks for another protocol, and says so with `true`. With `false` it must have
 * left the connection alone: the request is then answered like any other.
 */
export type Upgrade = (request: ApiRequest, peer: Peer, connection: UpgradeConnection) => Promise<boolean>;

/**
 * Offers connections to `upgrade`. Without one, HTTP/1.1 requests that ask for another protocol are ordinary requests
 * to the server, on a connection that lives on; only CONNECT always loses its connection.
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
    // Never sent: it tells the request when the client has gone.
    const presence = new ServerResponse(message);
    socket.once("close", () => presence.emit("close"));
    const request = requestFromIncomingMessage(new Exchange(message, presence));
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

/** A response on a connection that the server has let go of: what the server did for it is done here, and it closes. */
function lastResponse(message: IncomingMessage, socket: Socket): ServerResponse {
  const response = new ServerResponse(message);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once("finish", () => socket.destroySoon());
  socket.on("drain", () => response.emit("drain"));
  socket.on("error", () => {});
  // Only who reads learns that the other side has gone.
  socket.on("end", () => socket.destroy());
  socket.resume();
  return response;
}
