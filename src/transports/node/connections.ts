import type { Server as HttpServer } from "node:http";
import type { Http2SecureServer, ServerHttp2Session } from "node:http2";
import type { Server, Socket } from "node:net";
import { setInterval } from "node:timers";
import type { TLSSocket } from "node:tls";
import { unfaked } from "../../apimachinery/clock.ts";
import { ClientConnection } from "./client-connection.ts";
import type { FailingConnections } from "./connection-failures.ts";
import type { Exchange, Incoming } from "./exchange.ts";
import { peerFromIncomingMessage } from "./incoming-message.ts";
import { isParseError, type ParseError, refusalOfError } from "./parse-errors.ts";
import type { PortLimits } from "./port-limits.ts";
import { sendRefusal } from "./refusal.ts";
import { SessionCheck } from "./session-check.ts";

const startTimeout = unfaked(setTimeout, "setTimeout");
const stopTimeout = unfaked(clearTimeout, "clearTimeout");
const startInterval = unfaked(setInterval, "setInterval");
const stopInterval = unfaked(clearInterval, "clearInterval");

/** How long a connection may take to end, in milliseconds. */
const closeMilliseconds = 500;
/** How often a port looks after its requests in the time that one may take. */
const checks = 6;
/**
 * How often a port looks for broken HTTP/2 sessions, in milliseconds: it finds them in about the second after which Go closes
 * them. Source: golang.org/x/net/http2/server.go (goAwayTimeout).
 */
const sessionCheckMilliseconds = 500;

/** The open connections of a server, and how they end. */
export class Connections implements FailingConnections {
  readonly #limits: PortLimits;
  readonly #sockets = new Set<Socket>();
  readonly #http1 = new Set<Socket>();
  readonly #sessions = new Map<ServerHttp2Session, SessionCheck>();
  readonly #frozen = new Set<Socket>();
  /** The sockets whose clients may still read a refusal. */
  readonly #refused = new WeakSet<Socket>();
  /** By socket or, for HTTP/2, session. Made for the first request: to parse a client certificate takes a tenth of one. */
  readonly #clients = new Map<object, ClientConnection>();
  #checking: NodeJS.Timeout | undefined;
  #checkingSessions: NodeJS.Timeout | undefined;
  #closed: Promise<void> | undefined;

  constructor(limits: PortLimits) {
    this.#limits = limits;
  }

  get isClosing(): boolean {
    return this.#closed !== undefined;
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
    server.on("session", (session: ServerHttp2Session) => {
      this.#sessions.set(session, new SessionCheck(session, this.#rawSocketBelow(session.socket)));
      session.once("close", () => this.#sessions.delete(session));
      session.setTimeout(this.#limits.idleMilliseconds, () => this.#closeIdle(session));
    });
    server.on("clientError", (error: ParseError, socket: Socket) => this.#refuse(error, socket));
    this.#checking = startInterval(() => this.#expire(), this.#limits.requestMilliseconds / checks).unref();
    if (isSecure)
      this.#checkingSessions = startInterval(() => this.#checkSessions(), sessionCheckMilliseconds).unref();
  }

  /** The connection of a request. */
  clientOf(message: Incoming): ClientConnection {
    // HTTP/2 creates a socket proxy for each stream; streams share only the session.
    const transport = ("stream" in message ? message.stream.session : undefined) ?? message.socket;
    const known = this.#clients.get(transport);
    if (known !== undefined) return known;
    const client = new ClientConnection(peerFromIncomingMessage(message));
    const isOpen = !transport.destroyed;
    if (!isOpen) return client;
    this.#clients.set(transport, client);
    transport.once("close", () => {
      this.#clients.delete(transport);
      client.abandon();
    });
    return client;
  }

  rawSocketOf({ message: { socket } }: Exchange): Socket | undefined {
    return this.#rawSocketBelow(socket);
  }

  #rawSocketBelow({
    remotePort,
    remoteAddress,
  }: Pick<Socket, "remotePort" | "remoteAddress">): Socket | undefined {
    for (const raw of this.#sockets) {
      if (raw.remotePort === remotePort && raw.remoteAddress === remoteAddress) return raw;
    }
    return undefined;
  }

  *sharing(exchange: Exchange): Iterable<Exchange> {
    yield* this.clientOf(exchange.message).exchanges;
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
      stopInterval(this.#checking);
      stopInterval(this.#checkingSessions);
      server.close(() => resolve());
      for (const socket of this.#frozen) socket.destroy();
      const busy = new Set<unknown>();
      for (const exchange of this.#exchanges()) {
        const { response, message } = exchange;
        if (response !== undefined && !response.writableEnded) busy.add(message.socket);
        exchange.shutDown();
      }
      for (const socket of this.#http1) if (!busy.has(socket)) endInTime(socket);
      for (const session of this.#sessions.keys()) session.close();
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

  *#exchanges(): Iterable<Exchange> {
    for (const client of this.#clients.values()) yield* client.exchanges;
  }

  /** Ends requests that take too long. */
  #expire(): void {
    for (const exchange of this.#exchanges()) {
      exchange.age++;
      if (exchange.age >= checks) exchange.expire();
    }
  }

  /** Ends broken HTTP/2 sessions, and streams that can send nothing more. */
  #checkSessions(): void {
    for (const [session, check] of this.#sessions) {
      for (const exchange of this.#clients.get(session)?.exchanges ?? []) exchange.endIfReset();
      if (!this.#isFrozen(session) && check.isBroken()) session.destroy();
    }
  }

  #isFrozen(session: ServerHttp2Session): boolean {
    for (const exchange of this.#clients.get(session)?.exchanges ?? []) if (exchange.isFrozen) return true;
    return false;
  }

  /** Ends an HTTP/2 connection without requests, as Go does. A client that does not answer is disconnected. */
  #closeIdle(session: ServerHttp2Session): void {
    if (this.#clients.get(session)?.isIdle === false) return;
    session.close();
    session.setTimeout(closeMilliseconds, () => session.destroy());
  }

  /** Answers clients that do not send HTTP as Go does. Clients that send nothing, or too slowly, get no answer. */
  #refuse(error: ParseError, socket: Socket): void {
    // What the client goes on sending is no message either, and must not reset the connection before it has read the refusal.
    if (this.#refused.has(socket)) return;
    const client = this.#clients.get(socket);
    if (isParseError(error)) {
      if (client?.breakOff(error) === true) return;
    } else if (error.code === "ERR_HTTP_REQUEST_TIMEOUT" && client?.isIdle === false) {
      // The rest of its next request: Go would not have begun to read it.
      return;
    }
    const refusal = isParseError(error) && socket.writable ? refusalOfError(error) : undefined;
    if (refusal === undefined) {
      socket.destroy();
      return;
    }
    this.#refused.add(socket);
    sendRefusal(refusal, socket);
  }
}

/**
 * Ends a connection without an answer: an idle one at once, and one that has another protocol when its client has taken what waits, or
 * has had the time. What such a client goes on sending does not prolong it.
 */
function endInTime(socket: Socket): void {
  socket.destroySoon();
  if (socket.destroyed) return;
  const timer = startTimeout(() => socket.destroy(), closeMilliseconds);
  socket.once("close", () => stopTimeout(timer));
}

function keep<T extends { once(event: "close", listener: () => void): unknown }>(
  set: Set<T>,
  member: T,
): void {
  // A connection that is given back to the server comes again.
  if (set.has(member)) return;
  set.add(member);
  member.once("close", () => set.delete(member));
}
