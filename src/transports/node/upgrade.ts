import { type IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import type { Server, Socket } from "node:net";
import type { ApiRequest } from "../../request/handler.ts";
import type { Peer } from "../../request/peer.ts";
import { Exchange, type Incoming, type Outgoing } from "./exchange.ts";
import { peerFromIncomingMessage, requestFromIncomingMessage } from "./incoming-message.ts";
import { type Refusal, sendRefusal } from "./refusal.ts";
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

/** What a port does with requests for another protocol. */
export interface UpgradeHandlers {
  readonly answer: (message: Incoming, response: Outgoing) => void;
  /** Why the port refuses a request. */
  readonly refusalOf: (message: IncomingMessage) => Refusal | undefined;
  /** Watches and streams of pods over WebSockets, and requests that other servers may answer. */
  readonly serveUpgrade: (message: IncomingMessage, connection: UpgradeConnection) => Promise<void>;
  readonly upgrade: Upgrade | undefined;
  /** Calls back when the requests before this one on its connection have been answered. */
  readonly afterEarlier: (message: IncomingMessage, callback: () => void) => void;
}

/**
 * Offers connections to `upgrade`. Without it, watches and streams over WebSockets are served, other servers take up what they answer, and other HTTP/1.1 requests for another
 * protocol are ordinary requests on a connection that stays open; only CONNECT always loses its connection.
 */
export function listenForUpgrades(server: Server, handlers: UpgradeHandlers): void {
  const { answer, refusalOf, serveUpgrade, upgrade } = handlers;
  const givenBack = new WeakMap<Socket, string>();
  server.prependListener("request", (message: Incoming) => {
    // Only connections with HTTP/1.1 are given back, and the socket of others is costly to get.
    if (message.httpVersionMajor !== 1) return;
    const { socket, headers, rawHeaders } = message;
    const protocol = givenBack.get(socket);
    if (protocol === undefined) return;
    givenBack.delete(socket);
    headers.upgrade = protocol;
    rawHeaders.push("Upgrade", protocol);
  });
  server.on("connect", (...event: [IncomingMessage, Socket] | [Http2ServerRequest, Http2ServerResponse]) => {
    if (isHttp2(event)) {
      answer(...event);
      return;
    }
    const [message, socket] = event;
    answer(message, lastResponse(message, socket));
  });
  const serve = (message: IncomingMessage, socket: Socket, head: Buffer): void => {
    const refusal = refusalOf(message);
    if (refusal !== undefined) {
      socket.on("error", () => {});
      sendRefusal(refusal, socket);
      return;
    }
    if (upgrade === undefined) {
      if (mayUpgrade(message)) void serveUpgrade(message, { socket, head });
      else {
        givenBack.set(socket, message.headers.upgrade ?? "");
        answerInPlace(server, message, { socket, head });
      }
      return;
    }
    socket.on("error", () => {});
    // Never sent. It only signals to the request that the client disconnected.
    const presence = new ServerResponse(message);
    socket.once("close", () => presence.emit("close"));
    const request = requestFromIncomingMessage(new Exchange(message, presence, new WriteTurn()));
    upgrade(request, peerFromIncomingMessage(message), { socket, head }).then(
      (isTaken) => {
        if (isTaken) return;
        if (mayUpgrade(message)) void serveUpgrade(message, { socket, head });
        else answer(message, lastResponse(message, socket));
      },
      () => socket.destroy(),
    );
  };
  server.on("upgrade", (message: IncomingMessage, socket: Socket, head: Buffer) =>
    handlers.afterEarlier(message, () => serve(message, socket, head)),
  );
}

function isHttp2(event: readonly [Incoming, unknown]): event is [Http2ServerRequest, Http2ServerResponse] {
  return "stream" in event[0];
}

/** Whether the answer may have the connection. */
function mayUpgrade(message: IncomingMessage): boolean {
  return hasWebSocket(message) || mayBeRemote(message) || streamsToPod(message);
}

/** Whether the client streams to a pod, over a WebSocket or SPDY, or through a proxy in any protocol. */
function streamsToPod({ url = "", headers }: IncomingMessage): boolean {
  if (isProxied(url)) return headers.upgrade?.toLowerCase() !== "h2c";
  return /^\/api\/v1\/namespaces\/[^/?]+\/pods\/[^/?]+\/(?:exec|attach|portforward)(?:\?|$)/.test(url);
}

function isProxied(url: string): boolean {
  return /^\/api\/v1\/(?:namespaces\/[^/?]+\/)?(?:pods|services|nodes)\/[^/?]+\/proxy(?:[/?]|$)/.test(url);
}

/**
 * Whether another server may take up the connection: groups of such servers have names with dots. An offer of HTTP/2 without TLS
 * is declined, since Java's client makes one in every first request.
 */
function mayBeRemote({ url = "", headers }: IncomingMessage): boolean {
  const isOffer = headers.upgrade?.toLowerCase() === "h2c";
  return !isOffer && /^\/apis\/[^/?]+\.[^/?]+\/[^/?]+\//.test(url);
}

/** Whether the answer may be the WebSocket of a watch. */
export function hasWebSocket({ url = "", headers }: IncomingMessage): boolean {
  if (isProxied(url)) return false;
  const { connection = "", upgrade } = headers;
  if (upgrade?.toLowerCase() !== "websocket" || !/\bupgrade\b/i.test(connection)) return false;
  return (
    /[?&]watch(?:=(?!0|f(?:alse)?(?:&|$))|&|$)/i.test(url) || /^\/apis?\/(?:[^/?]+\/){1,2}watch\//.test(url)
  );
}

/**
 * Gives a connection back to Node's server, which has detached it because something listens for upgrades. The request is sent
 * to it again without the header Upgrade, so that it is an ordinary one; the API sees the header again.
 */
function answerInPlace(server: Server, message: IncomingMessage, { socket, head }: UpgradeConnection): void {
  const lines = [`${message.method} ${message.url} HTTP/${message.httpVersion}`];
  const { rawHeaders } = message;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = "", value = ""] = rawHeaders.slice(index, index + 2);
    if (!/^upgrade$/i.test(name)) lines.push(`${name}: ${value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), head]));
  server.emit("setSecureContext" in server ? "secureConnection" : "connection", socket);
}

/** A response on a connection that Node's server no longer manages; the connection closes after it. */
export function lastResponse(message: IncomingMessage, socket: Socket): ServerResponse {
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
