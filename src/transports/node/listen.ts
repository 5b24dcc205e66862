import { createServer, type IncomingMessage } from "node:http";
import {
  constants,
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from "node:http2";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { ConnectionFailure, type ConnectionFailureKind } from "../../request/connection-failure.ts";
import type { Handler } from "../../request/handler.ts";
import type { Reachability } from "../../request/reachability.ts";
import type { ClientConnection } from "./client-connection.ts";
import { failConnection } from "./connection-failures.ts";
import { Connections } from "./connections.ts";
import { Exchange, type Incoming, type Outgoing } from "./exchange.ts";
import { foreignPages, type PagePolicy } from "./foreign-pages.ts";
import { requestFromIncomingMessage } from "./incoming-message.ts";
import { kubeApiserverLimits, type PortLimits } from "./port-limits.ts";
import { type Refusal, respondRefusal } from "./refusal.ts";
import { hasMalformedEscape, refusalOfHead } from "./request-head.ts";
import { writeResponse } from "./server-response.ts";
import { listenForUpgrades, type Upgrade } from "./upgrade.ts";
import { WriteTurn } from "./write-turn.ts";

/** The TLS settings of a listener, all PEM. */
export interface ListenTls {
  readonly key: string;
  readonly certificate: string;
}

export interface ListenOptions {
  readonly port: number;
  readonly host: string;
  readonly tls: ListenTls | undefined;
  readonly upgrade: Upgrade | undefined;
  /** Which web pages may use the port. Default: all may. */
  readonly pages?: PagePolicy | undefined;
  /** Whether the port listens. Default: as long as it is open. */
  readonly reachability?: Reachability | undefined;
  /** Default: those of kube-apiserver. */
  readonly limits?: PortLimits;
}

/** An open port. */
export interface Listener {
  /** The IP address on which it listens. */
  readonly address: string;
  readonly port: number;
  /** Ends open streams, finishes started answers, and frees the port. */
  close(): Promise<void>;
}

/** How much of a body may arrive ahead of its reader, and how large a frame may be. Upstream: secure_serving.go. */
const streamWindow = 256 * 1024;
/** Clients open and cancel watches faster than Node expects. The number of requests in progress is limited instead. */
const streamResets = { streamResetBurst: 100_000, streamResetRate: 10_000 } as const;
/** How often the server looks for slow heads, in the time that one may take. */
const headChecks = 32;

/** Opens a port for HTTP/1.1 and, with TLS, HTTP/2. */
export async function listen(handler: Handler, options: ListenOptions): Promise<Listener> {
  const { limits = kubeApiserverLimits, tls } = options;
  const connections = new Connections(limits);
  const refusalOf = refusals(options);
  const answer = answers(handler, connections, refusalOf, limits);
  const server = tls === undefined ? createServer(http1Options(limits)) : secureServer(tls, limits);
  // As many headers as fit the byte limit. HTTP/1.1 on an HTTP/2 port obeys it too, although the types do not say so.
  Object.assign(server, { maxHeadersCount: 0 });
  connections.track(server);
  server.on("request", answer);
  listenForUpgrades(server, {
    answer,
    refusalOf,
    serveUpgrade: async (message, connection) => {
      const { serveUpgrade } = await import("./web-socket-connection.ts");
      await serveUpgrade(handler, message, connection);
    },
    upgrade: options.upgrade,
    afterEarlier: (message, callback) => connections.clientOf(message).whenIdle(message.socket, callback),
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, () => {
      server.off("error", reject);
      // A connection that cannot be accepted concerns only its client.
      server.on("error", () => {});
      resolve();
    });
  });
  // It is a socket, not a pipe, so the address is not a path.
  const { address, port } = server.address() as AddressInfo;
  const stopFollowing = options.reachability?.onChange((isReachable) => {
    if (isReachable) server.listen(port, options.host);
    else connections.refuse(server);
  });
  if (options.reachability?.isReachable === false) connections.refuse(server);
  return {
    address,
    port,
    close: () => {
      stopFollowing?.();
      return connections.close(server);
    },
  };
}

/** Answers the requests of a port, or refuses them. */
function answers(
  handler: Handler,
  connections: Connections,
  refusalOf: (message: IncomingMessage) => Refusal | undefined,
  limits: PortLimits,
): (message: Incoming, response: Outgoing) => void {
  const onFailure = (kind: ConnectionFailureKind, failed: Exchange): void =>
    failConnection(kind, failed, connections);
  const turn = new WriteTurn();
  return (message, response) => {
    const client = connections.clientOf(message);
    // What follows a refused request is not read.
    if (client.isBroken) return;
    if (isHttp2(response)) {
      if (hasMalformedEscape(message.url)) {
        response.stream.close(constants.NGHTTP2_PROTOCOL_ERROR);
        return;
      }
      if (client.isFloodedBeyond(limits.maxStreams)) {
        const { session } = response.stream;
        session?.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM);
        session?.destroy();
        return;
      }
    } else {
      // Only HTTP/2 has responses of another type.
      const refusal = refusalOf(message as IncomingMessage);
      if (refusal !== undefined) {
        client.isBroken = true;
        respondRefusal(refusal, response);
        return;
      }
    }
    const exchange = new Exchange(message, response, turn, onFailure);
    client.begin(exchange);
    void converse(handler, exchange, client, connections);
  };
}

/** Why the port refuses an HTTP/1.1 request before the cluster sees it; undefined if it does not. */
function refusals({ pages }: ListenOptions): (message: IncomingMessage) => Refusal | undefined {
  if (pages === undefined) return refusalOfHead;
  const refusalOfPage = foreignPages(pages);
  return (message) => refusalOfHead(message) ?? refusalOfPage(message);
}

function isHttp2(response: Outgoing): response is Http2ServerResponse {
  return "stream" in response;
}

async function converse(
  handler: Handler,
  exchange: Exchange,
  client: ClientConnection,
  connections: Connections,
): Promise<void> {
  try {
    const request = requestFromIncomingMessage(exchange);
    const answer = await handler(request, client.peer);
    const writing = writeResponse(answer, exchange);
    if (writing !== undefined) await writing;
  } catch (error) {
    // Otherwise the cluster cannot start. The test must see the reason, and the client's request must end.
    if (!(error instanceof ConnectionFailure))
      process.emitWarning(error instanceof Error ? error : String(error));
    exchange.fail(error);
  }
  if (connections.isClosing) connections.closeAfter(exchange);
  exchange.whenSent(() => client.end(exchange));
}

/** The limits for HTTP/1.1. A missing Host is refused as Go does it. */
function http1Options({ headMilliseconds, idleMilliseconds }: PortLimits) {
  return {
    maxHeaderSize: 1024 * 1024,
    keepAliveTimeout: idleMilliseconds,
    headersTimeout: headMilliseconds,
    requestTimeout: 0,
    connectionsCheckingInterval: Math.ceil(headMilliseconds / headChecks),
    requireHostHeader: false,
    noDelay: true,
  } as const;
}

function secureServer(tls: ListenTls, limits: PortLimits): Http2SecureServer {
  const http1 = http1Options(limits);
  const server = createSecureServer({
    settings: {
      maxConcurrentStreams: limits.maxStreams,
      initialWindowSize: streamWindow,
      maxFrameSize: streamWindow,
      maxHeaderListSize: http1.maxHeaderSize,
    },
    // Megabytes: as many heads as there may be streams, and what they have not sent yet.
    maxSessionMemory: 256,
    ...streamResets,
    allowHTTP1: true,
    key: tls.key,
    cert: tls.certificate,
    minVersion: "TLSv1.2",
    handshakeTimeout: limits.headMilliseconds,
    // The cluster verifies the certificates of clients, by its own clock.
    requestCert: true,
    rejectUnauthorized: false,
  });
  server.on("secureConnection", (socket: TLSSocket) => socket.setNoDelay(true));
  const connectionWindow = streamWindow * limits.maxStreams;
  server.on("session", (session: ServerHttp2Session) => session.setLocalWindowSize(connectionWindow));
  server.on("sessionError", () => {});
  return Object.assign(server, http1);
}
