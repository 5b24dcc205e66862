import type { Socket } from "node:net";
import { BrokenBodyError } from "../../request/handler.ts";
import type { Peer } from "../../request/peer.ts";
import type { Exchange } from "./exchange.ts";
import { chunkErrorOf, type ParseError, refusalOfError } from "./parse-errors.ts";
import { sendRefusal } from "./refusal.ts";

/** Go ends an HTTP/2 connection with so many requests for each stream that may be open. Source: golang.org/x/net/http2/server.go. */
const handledPerStream = 5;

/** One connection of a client, and what is in flight on it. */
export class ClientConnection {
  readonly peer: Peer;
  /** Whether nothing that follows on the connection is a request. */
  isBroken = false;
  readonly #exchanges = new Set<Exchange>();
  #onIdle: (() => void) | undefined;

  constructor(peer: Peer) {
    this.peer = peer;
  }

  /** In the order of their requests. */
  get exchanges(): Iterable<Exchange> {
    return this.#exchanges;
  }

  get isIdle(): boolean {
    return this.#exchanges.size === 0;
  }

  /** Whether a client has reset more streams than it may have open, while their requests are still being handled. */
  isFloodedBeyond(maxStreams: number): boolean {
    return this.#exchanges.size >= maxStreams * handledPerStream;
  }

  begin(exchange: Exchange): void {
    this.#exchanges.add(exchange);
  }

  end(exchange: Exchange): void {
    this.#exchanges.delete(exchange);
    if (this.isIdle) this.#onIdle?.();
  }

  /**
   * Calls back, now or later, when everything before has been answered, for a request with which Node's server has let go of the
   * connection: until then, it does not tell its answers that the client takes more.
   */
  whenIdle(socket: Socket, callback: () => void): void {
    if (this.isIdle) {
      callback();
      return;
    }
    const resume = (): void => {
      for (const { response } of this.#exchanges) response?.emit("drain");
    };
    socket.on("drain", resume);
    this.#onIdle = () => {
      this.#onIdle = undefined;
      socket.off("drain", resume);
      if (!socket.destroyed) callback();
    };
  }

  /** Ends what is in flight when the connection has closed. */
  abandon(): void {
    for (const exchange of this.#exchanges) exchange.abandon();
  }

  /**
   * Handles data that is not HTTP. As in Go, requests before it are answered first; if it is part of a body, the request learns
   * it when it reads the body.
   * @returns whether there are such requests
   */
  breakOff(error: ParseError): boolean {
    const last = this.#lastUnanswered();
    if (last === undefined || this.isBroken) return this.isBroken;
    this.isBroken = true;
    const { message, response } = last;
    if (!message.complete) {
      last.failBody(new BrokenBodyError("malformed", chunkErrorOf(error)));
    } else if (response?.headersSent === true) {
      const refusal = refusalOfError(error);
      if (refusal !== undefined) response.once("finish", () => sendRefusal(refusal, message.socket));
    } else {
      last.isLast = true;
    }
    return true;
  }

  #lastUnanswered(): Exchange | undefined {
    let last: Exchange | undefined;
    for (const exchange of this.#exchanges)
      if (exchange.response?.writableFinished === false) last = exchange;
    return last;
  }
}
