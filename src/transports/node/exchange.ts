import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse, ServerHttp2Stream } from "node:http2";
import type { Writable } from "node:stream";
import { ConnectionFailure, type ConnectionFailureKind } from "../../request/connection-failure.ts";
import { BrokenBodyError, type Seat } from "../../request/handler.ts";
import type { WriteTurn } from "./write-turn.ts";

/** The request of Node's server, of either version of HTTP. */
export type Incoming = IncomingMessage | Http2ServerRequest;
/** Its response. */
export type Outgoing = ServerResponse | Http2ServerResponse;

/** Whether a response waits with something for its connection. */
function hasHeldBack(response: ServerResponse): boolean {
  return response.writableLength > (response.socket?.writableLength ?? 0);
}

/** Node writes texts up to this size with their heads without memory of their own. Source: node, src/stream_base.cc, WriteString. */
const largestText = 15 * 1024;

/** Writes a stream. */
export interface StreamWriter {
  /** Writes the buffered data. */
  flush(): void;
  /** Releases the source. */
  release(): void;
}

/** One request and its response: whether the client is connected, and what ends when it disconnects. */
export class Exchange {
  readonly message: Incoming;
  /** The response of HTTP/1.1. */
  readonly response: ServerResponse | undefined;
  /** The HTTP/2 stream; its compatibility response object would only add work. */
  readonly stream: ServerHttp2Stream | undefined;
  /** Where the bytes of the body go: one of the two above. */
  readonly sink: Writable;
  /** Of the port. */
  readonly turn: WriteTurn;
  /** Whether the connection closes after this answer, because what the client sent next is not HTTP. */
  isLast = false;
  /** Why the rest of the body will never come. */
  bodyFailure: Error | undefined;
  /** Called when the rest of the body will not arrive. */
  onBodyFailure: ((failure: Error) => void) | undefined;
  /** How often its port has looked after requests that take too long. */
  age = 0;
  #seat: Seat | undefined;
  #onSent: (() => void) | undefined;
  /** Where the last piece went: the connection, or the sink while another answer has the connection. */
  #outlet: Writable;
  #client: AbortController | undefined;
  #writer: StreamWriter | undefined;
  #isWatched = false;
  #isOver = false;
  #isFrozen = false;
  readonly #onFailure: ((kind: ConnectionFailureKind, exchange: Exchange) => void) | undefined;

  /** @param onFailure Fails the connection as a fault demands. Default: the answer is broken off. */
  constructor(
    message: Incoming,
    response: Outgoing,
    turn: WriteTurn,
    onFailure?: (kind: ConnectionFailureKind, exchange: Exchange) => void,
  ) {
    this.message = message;
    this.turn = turn;
    this.#onFailure = onFailure;
    if ("stream" in response) {
      this.response = undefined;
      this.stream = response.stream;
      this.sink = response.stream;
    } else {
      this.response = response;
      this.stream = undefined;
      this.sink = response;
    }
    this.#outlet = this.sink;
  }

  /** Aborts when the client disconnects before its answer is complete. Created on first use: most requests never need it. */
  get signal(): AbortSignal {
    if (this.#client === undefined) {
      this.#client = new AbortController();
      this.#watch();
    }
    return this.#client.signal;
  }

  /** Whether nothing is left to write, or the client has disconnected. */
  get isOver(): boolean {
    return this.#isOver || this.#isFrozen || this.sink.destroyed || this.stream?.closed === true;
  }

  /** Whether nothing more may be written, not even the end. */
  get isFrozen(): boolean {
    return this.#isFrozen;
  }

  /** Keeps a seat until the answer has been sent. */
  occupy(seat: Seat): void {
    this.#seat = seat;
  }

  /** Fails the reading of the body, now or when it begins. */
  failBody(failure: Error): void {
    this.isLast = true;
    this.age = 0;
    this.bodyFailure = failure;
    this.onBodyFailure?.(failure);
  }

  /** Calls back once the client has taken the whole answer, or has left. */
  whenSent(callback: () => void): void {
    this.#onSent = callback;
    const { response, sink } = this;
    // Most answers are in the kernel's buffers by now.
    const isFlushed = response?.writableEnded === true && response.socket?.writableLength === 0;
    if (isFlushed || sink.closed || sink.destroyed || this.message.socket.destroyed) this.#sent();
    // The event comes once, so that the cost of `once` buys nothing.
    else sink.on("close", () => this.#sent());
  }

  /** Ends what takes too long: a body that does not arrive, or an answer that the client does not take. */
  expire(): void {
    if (this.#writer !== undefined || this.#isFrozen) return;
    if (this.onBodyFailure !== undefined)
      this.failBody(new BrokenBodyError("late", "The body did not arrive in time"));
    else if (this.response?.headersSent ?? this.stream?.headersSent) this.destroy();
  }

  /** Ends the exchange of a client whose connection has closed. An answer that waits for its turn would never learn it. */
  abandon(): void {
    this.#leave();
    if (this.response?.socket === null) this.response.emit("close");
  }

  /**
   * Ends an exchange whose HTTP/2 stream the client has reset without an error. Node then keeps the stream until all data are
   * sent, which never happens.
   */
  endIfReset(): void {
    const { stream } = this;
    if (stream?.closed === true && !stream.destroyed && stream.writableLength > 0) stream.destroy();
  }

  /** Stops all writing without an end. */
  freeze(): void {
    this.#isFrozen = true;
  }

  /** Marks the answer as complete: the connection may close from now on. */
  complete(): void {
    this.#isOver = true;
    this.#writer?.release();
  }

  /** Writes pieces of the body at once, and returns whether the client takes more. */
  write(pieces: readonly Uint8Array[], size: number): boolean {
    const { response, turn } = this;
    // Node would hold back and copy what does not go to the connection itself.
    if (response?.headersSent && response.socket?.writable && !hasHeldBack(response)) {
      this.#outlet = response.socket;
      return this.#outlet.write(
        response.chunkedEncoding ? turn.chunkOf(pieces, size) : turn.joined(pieces, size),
      );
    }
    this.#outlet = this.sink;
    return this.#outlet.write(turn.joined(pieces, size));
  }

  /** Writes a whole small body, which the end of the answer follows at once. */
  writeLast(body: Uint8Array): void {
    const { response, sink } = this;
    const socket = response?.socket;
    if (body.byteLength > largestText || !socket || socket.writableCorked > 0 || "encrypted" in socket) {
      sink.end(body);
      return;
    }
    // Node joins the head and a text, but not a head and bytes; it gives one piece to the kernel at once, and queues several.
    socket.cork();
    response.write(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("latin1"), "latin1");
    socket.uncork();
  }

  /** Whether the client's buffers have taken everything that has been written. */
  get isDrained(): boolean {
    return this.#outlet.writableLength === 0;
  }

  /** Calls back when the client takes more, or has disconnected. */
  whenDrained(callback: () => void): void {
    const outlet = this.#outlet;
    const done = (): void => {
      outlet.off("drain", done);
      this.sink.off("close", done);
      callback();
    };
    outlet.on("drain", done);
    this.sink.on("close", done);
  }

  /** Handles a failed source: the response is aborted, unless the error states how the connection fails. */
  fail(error: unknown): void {
    this.freeze();
    if (error instanceof ConnectionFailure && this.#onFailure !== undefined)
      this.#onFailure(error.kind, this);
    else this.destroy();
  }

  /** Breaks the answer off, as a panic does in Go, so that the client cannot take the part for the whole. */
  destroy(): void {
    // HTTP/2 sends an error code only if it gets an error; HTTP/1.1 would report that error as the client's.
    this.sink.destroy(this.stream && new Error("The response stream failed"));
  }

  /** Releases a stream when the client disconnects, and ends it when the port closes. */
  attach(writer: StreamWriter): void {
    this.#writer = writer;
    this.#watch();
  }

  /** Ends a stream as if its source had ended. A handler that is still running is aborted, and its answer is sent. */
  shutDown(): void {
    if (this.isOver) return;
    if (this.#writer !== undefined) {
      this.#writer.flush();
      this.complete();
      this.sink.end();
    }
    this.#client?.abort();
  }

  #sent(): void {
    this.#seat?.leave();
    this.#seat = undefined;
    this.#onSent?.();
    this.#onSent = undefined;
  }

  #watch(): void {
    if (this.#isWatched) return;
    this.#isWatched = true;
    if (this.sink.destroyed || this.message.socket.destroyed) this.#leave();
    else this.sink.once("close", () => this.#leave());
  }

  #leave(): void {
    if (this.#isOver) return;
    this.complete();
    this.#client?.abort();
  }
}
