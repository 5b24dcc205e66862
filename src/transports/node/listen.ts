import { createServer, type Server as HttpServer } from "node:http";
import { createSecureServer, type Http2SecureServer, type ServerHttp2Session } from "node:http2";
import type { AddressInfo, Server, Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { ConnectionFailure, type ConnectionFailureKind } from "../../request/connection-failure.ts";
import type { Handler } from "../../request/handler.ts";
import type { Peer } from "../../request/peer.ts";
import type { Reachability } from "../../request/reachability.ts";
import { type FailingConnections, failConnection } from "./connection-failures.ts";
import { Exchange, type Incoming, type Outgoing } from "./exchange.ts";
import { peersOfPort, requestFromIncomingMessage } from "./incoming-message.ts";
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
  /** Whether the port listens. Default: as long as it is open. */
  readonly reachability?: Reachability | undefined;
}

/** An open port. */
export interface Listener {
  /** The IP address on which it listens. */
  readonly address: string;
  readonly port: number;
  /** Ends open streams, finishes started answers, and frees the port. */
  close(): Promise<void>;
}

// The limits of kube-apiserver. Bodies and silent watches have no time limit.
const limits = {
  maxHeaderSize: 1024 * 1024,
  keepAliveTimeout: 90_000,
  headersTimeout: 32_000,
  requestTimeout: 0,
} as const;
const http2Limits = {
  settings: {
    maxConcurrentStreams: 1000,
    initialWindowSize: 256 * 1024,
    maxFrameSize: 256 * 1024,
    maxHeaderListSize: limits.maxHeaderSize,
  },
  // Megabytes: a thousand active watches need more than the default of ten.
  maxSessionMemory: 1024,
  // Tests open and cancel watches faster than an attack would.
  streamResetBurst: 100_000,
  streamResetRate: 10_000,
} as const;
/** How much one connection may upload before it waits for the reader. */
const connectionWindow = 16 * 1024 * 1024;
/** How long a connection may take to end when the port closes. */
const closeMilliseconds = 500;

/** Opens a port for HTTP/1.1 and, with TLS, HTTP/2. */
export async function listen(handler: Handler, options: ListenOptions): Promise<Listener> {
  const exchanges = new Set<Exchange>();
  const connections = new Connections(exchanges);
  const onFailure = (kind: ConnectionFailureKind, failed: Exchange): void =>
    failConnection(kind, failed, connections);
  const turn = new WriteTurn();
  const peerOf = peersOfPort();
  const answer = (message: Incoming, response: Outgoing): void => {
    const exchange = new Exchange(message, response, turn, onFailure);
    exchanges.add(exchange);
    void converse(handler, exchange, peerOf).then(() => {
      exchanges.delete(exchange);
      if (connections.isClosing) connections.closeAfter(exchange);
    });
  };
  const server =
    options.tls === undefined ? createServer({ ...limits, noDelay: true }) : secureServer(options.tls);
  // As many headers as fit the byte limit. HTTP/1.1 on an HTTP/2 port obeys it too, although the types do not say so.
  Object.assign(server, { maxHeadersCount: 0 });
  connections.track(server);
  server.on("request", answer);
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    if (connections.isBusy(socket)) socket.destroy();
    else refuse(error, socket);
  });
  listenForUpgrades(server, {
    answer,
    serveWatch: async (message, connection) => {
      const { serveWebSocketWatch } = await import("./web-socket-watch.ts");
      await serveWebSocketWatch(handler, message, connection);
    },
    upgrade: options.upgrade,
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

async function converse(
  handler: Handler,
  exchange: Exchange,
  peerOf: (message: Incoming) => Peer,
): Promise<void> {
  try {
    const request = requestFromIncomingMessage(exchange);
    const answer = await handler(request, peerOf(exchange.message));
    const writing = writeResponse(answer, exchange);
    if (writing !== undefined) await writing;
  } catch (error) {
    // Otherwise the cluster cannot start. The test must see the reason, and the client's request must end.
    if (!(error instanceof ConnectionFailure))
      process.emitWarning(error instanceof Error ? error : String(error));
    exchange.fail(error);
  }
}

function secureServer(tls: ListenTls): Http2SecureServer {
  const server = createSecureServer({
    ...http2Limits,
    allowHTTP1: true,
    key: tls.key,
    cert: tls.certificate,
    minVersion: "TLSv1.2",
    // The cluster verifies the certificates of clients, by its own clock.
    requestCert: true,
    rejectUnauthorized: false,
  });
  server.on("secureConnection", (socket: TLSSocket) => socket.setNoDelay(true));
  server.on("session", (session: ServerHttp2Session) => session.setLocalWindowSize(connectionWindow));
  server.on("sessionError", () => {});
  return Object.assign(server, limits);
}

/** Answers clients that do not send HTTP as Go does. Clients that send nothing get no response. */
function refuse({ code = "" }: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || !code.startsWith("HPE_")) {
    socket.destroy();
    return;
  }
  const status = code === "HPE_HEADER_OVERFLOW" ? "431 Request Header Fields Too Large" : "400 Bad Request";
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${status}`,
  );
}

/** The open connections of a server, and how they end. */
class Connections implements FailingConnections {
  readonly #exchanges: ReadonlySet<Exchange>;
  readonly #sockets = new Set<Socket>();
  readonly #http1 = new Set<Socket>();
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #frozen = new Set<Socket>();
  #closed: Promise<void> | undefined;

  constructor(exchanges: ReadonlySet<Exchange>) {
    this.#exchanges = exchanges;
  }

  get isClosing(): boolean {
    return this.#closed !== undefined;
  }

  /** Whether a connection has an answer in flight. */
  isBusy(socket: Socket): boolean {
    for (const exchange of this.#exchanges) if (exchange.message.socket === socket) return true;
    return false;
  }

  track(server: HttpServer | Http2SecureServer): void {
    const isSecure = "setSecureContext" in server;
    server.on("connection", (socket: Socket) => {
      keep(this.#sockets, socket);
      if (!isSecure) keep(this.#http1, socket);
    });
    server.on("secureConnection", (socket: TLSSocket) => {
      if (socket.alpnProtocol !== "h2") keep(this.#http1, socket);
    });
    server.on("session", (session: ServerHttp2Session) => keep(this.#sessions, session));
  }

  rawSocketOf({ message: { socket } }: Exchange): Socket | undefined {
    const { remotePort, remoteAddress } = socket;
    for (const raw of this.#sockets) {
      if (raw.remotePort === remotePort && raw.remoteAddress === remoteAddress) return raw;
    }
    return undefined;
  }

  *sharing(exchange: Exchange): Iterable<Exchange> {
    const socket = this.rawSocketOf(exchange);
    for (const other of this.#exchanges) if (this.rawSocketOf(other) === socket) yield other;
  }

  keepFrozen(socket: Socket): void {
    keep(this.#frozen, socket);
  }

  /** Stops listening and resets all connections. */
  refuse(server: Server): void {
    server.close();
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  close(server: Server): Promise<void> {
    this.#closed ??= new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of this.#frozen) socket.destroy();
      const busy = new Set<unknown>();
      for (const exchange of this.#exchanges) {
        if (exchange.response !== undefined) busy.add(exchange.message.socket);
        exchange.shutDown();
      }
      for (const socket of this.#http1) if (!busy.has(socket)) socket.destroySoon();
      for (const session of this.#sessions) session.close();
      for (const socket of this.#sockets) socket.setTimeout(closeMilliseconds, () => socket.destroy());
    });
    return this.#closed;
  }

  /** Closes the connection of an answer that was in flight when the port closed. HTTP/2 sessions close by themselves. */
  closeAfter(exchange: Exchange): void {
    const { response } = exchange;
    if (response === undefined) return;
    const { socket } = exchange.message;
    if (response.writableFinished) socket.destroySoon();
    else response.once("finish", () => socket.destroySoon());
  }
}

function keep<T extends { once(event: "close", listener: () => void): unknown }>(
  set: Set<T>,
  member: T,
): void {
  set.add(member);
  member.once("close", () => set.delete(member));
}
