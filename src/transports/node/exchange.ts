import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse, ServerHttp2Stream } from "node:http2";
import type { Writable } from "node:stream";
import { ConnectionFailure, type ConnectionFailureKind } from "../../request/connection-failure.ts";
import { chunkOf } from "./chunk.ts";

/** A request as the server hands it over, of either version of HTTP. */
export type Incoming = IncomingMessage | Http2ServerRequest;
/** Its response. */
export type Outgoing = ServerResponse | Http2ServerResponse;

/** What writes a stream. */
export interface StreamWriter {
  /** Writes what it holds. */
  flush(): void;
  /** Gives the source back. */
  release(): void;
}

/** One request and its response: whether the client is still there, and what ends when it is not. */
export class Exchange {
  readonly message: Incoming;
  /** The response of HTTP/1.1. */
  readonly response: ServerResponse | undefined;
  /** The stream of HTTP/2, whose own response object would add nothing to it but work. */
  readonly stream: ServerHttp2Stream | undefined;
  /** Where the bytes of the body go: one of the two. */
  readonly sink: Writable;
  /** Where the last piece went: the connection, or the sink while the connection is another answer's. */
  #outlet: Writable;
  #client: AbortController | undefined;
  #writer: StreamWriter | undefined;
  #isWatched = false;
  #isOver = false;
  #isFrozen = false;
  readonly #onFailure: ((kind: ConnectionFailureKind, exchange: Exchange) => void) | undefined;

  /** @param onFailure Does to the connection what a fault says of it. Default: the answer is broken off. */
  constructor(
    message: Incoming,
    response: Outgoing,
    onFailure?: (kind: ConnectionFailureKind, exchange: Exchange) => void,
  ) {
    this.message = message;
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

  /** Aborts when the client goes away before its answer is complete. Made when asked for: most requests never do. */
  get signal(): AbortSignal {
    if (this.#client === undefined) {
      this.#client = new AbortController();
      this.#watch();
    }
    return this.#client.signal;
  }

  /** Whether there is nothing left to write, or nobody to write to. */
  get isOver(): boolean {
    return this.#isOver || this.#isFrozen || this.sink.destroyed || this.stream?.closed === true;
  }

  /** Whether nothing more is to be written, not even an end. */
  get isFrozen(): boolean {
    return this.#isFrozen;
  }

  /** From here on nothing is written, and nothing ends. */
  freeze(): void {
    this.#isFrozen = true;
  }

  /** The answer is complete: a connection that closes from here on means nothing. */
  complete(): void {
    this.#isOver = true;
    this.#writer?.release();
  }

  /** Writes a piece of the body at once, and says whether the client takes more. */
  write(piece: Uint8Array): boolean {
    const { socket, chunkedEncoding } = this.response ?? {};
    // Node would write length, piece and line break of a chunk each by itself, for every client again.
    const isChunkedHere = chunkedEncoding === true && socket?.writable === true;
    this.#outlet = isChunkedHere ? socket : this.sink;
    return this.#outlet.write(isChunkedHere ? chunkOf(piece) : piece);
  }

  /** Resolves when the client takes more, or never will. */
  drained(): Promise<void> {
    const outlet = this.#outlet;
    return new Promise((resolve) => {
      const done = (): void => {
        outlet.off("drain", done);
        this.sink.off("close", done);
        resolve();
      };
      outlet.on("drain", done);
      this.sink.on("close", done);
    });
  }

  /** The source of the answer has failed: it is broken off, unless the error says what becomes of the connection. */
  fail(error: unknown): void {
    this.freeze();
    if (error instanceof ConnectionFailure && this.#onFailure !== undefined)
      this.#onFailure(error.kind, this);
    else this.destroy();
  }

  /** Breaks the answer off, as a panic does in Go: the client must not take what it has for the whole. */
  destroy(): void {
    // HTTP/2 resets the stream with an error code only if it is given an error; HTTP/1.1 would report it as a client's.
    this.sink.destroy(this.stream && new Error("The source of the answer failed"));
  }

  /** Has a stream given back when the client leaves, and ended when the port closes. */
  attach(writer: StreamWriter): void {
    this.#writer = writer;
    this.#watch();
  }

  /** Ends a stream as if its source had ended. A handler that still works is told to stop; its answer is sent. */
  shutDown(): void {
    if (this.isOver) return;
    if (this.#writer !== undefined) {
      this.#writer.flush();
      this.complete();
      this.sink.end();
    }
    this.#client?.abort();
  }

  #watch(): void {
    if (this.#isWatched) return;
    this.#isWatched = true;
    if (this.sink.destroyed) this.#leave();
    else this.sink.once("close", () => this.#leave());
  }

  #leave(): void {
    if (this.#isOver) return;
    this.complete();
    this.#client?.abort();
  }
}
