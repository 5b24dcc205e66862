import { byteLengthOf } from "../../apimachinery/bytes.ts";
import { turn } from "../../apimachinery/clock.ts";
import { ConnectionFailure } from "../../request/connection-failure.ts";
import type { ApiResponse, Handler } from "../../request/handler.ts";
import { inProcessPeer } from "../../request/peer.ts";
import { discardBody, isStreamed } from "../../request/response-stream.ts";
import { answerUnlessAborted } from "../contract/answer.ts";
import { BodyReader, piecesOf } from "../contract/body-reader.ts";
import { statusText } from "../contract/status-text.ts";
import { wireFromText } from "../contract/wire-text.ts";
import { isBodyless } from "../web/web-response.ts";
import { abortError, type DispatchController, type DispatchHandler } from "./undici-handler.ts";
import { type DispatchOptions, discardRequestBody, requestFromDispatch } from "./undici-request.ts";

/** One request of an undici client, and the client's controls over it. */
export class Dispatch implements DispatchController {
  rawHeaders: Buffer[] = [];
  rawTrailers: Buffer[] = [];
  readonly #options: DispatchOptions;
  readonly #handler: DispatchHandler;
  readonly #client = new AbortController();
  #reader: BodyReader | undefined;
  #reason: Error | null = null;
  #isPaused = false;
  #isOver = false;
  #resume = (): void => {};

  constructor(options: DispatchOptions, handler: DispatchHandler) {
    this.#options = options;
    this.#handler = handler;
  }

  get aborted(): boolean {
    return this.#reason !== null;
  }

  get reason(): Error | null {
    return this.#reason;
  }

  get paused(): boolean {
    return this.#isPaused;
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#resume();
  }

  abort(reason: Error = abortError()): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#reason = reason;
    this.#reader?.release();
    this.#client.abort(reason);
    this.#resume();
    this.#handler.onResponseError?.(this, reason);
  }

  /** Calls the handler for `target`, or reports an error to the client. Never rejects. */
  async run(handler: Handler | Error, target: string): Promise<void> {
    try {
      this.#handler.onRequestStart?.(this, {});
      if (handler instanceof Error) throw handler;
      const request = requestFromDispatch(this.#options, target, this.#client.signal);
      await this.#respond(await answerUnlessAborted(handler, request, inProcessPeer));
    } catch (error) {
      // undici treats an exception of a listener as an abort; after an abort, it is only the echo.
      this.abort(error instanceof Error ? error : new Error(String(error)));
    } finally {
      discardRequestBody(this.#options.body);
    }
  }

  async #respond(answer: ApiResponse): Promise<void> {
    const { body, status } = answer;
    const isSilent = isBodyless(status) || this.#options.method === "HEAD";
    const length = isStreamed(body) || isBodyless(status) ? undefined : byteLengthOf(piecesOf(body));
    const headers = wireHeaders(answer, length);
    this.rawHeaders = headers.flatMap((pair) => pair.map((text) => Buffer.from(text, "latin1")));
    this.#handler.onResponseStart?.(this, status, parsed(headers), statusText(status));
    if (isSilent || this.#isOver) discardBody(body);
    else if (isStreamed(body)) await this.#pump(body);
    else for (const piece of piecesOf(body)) await this.#give(piece);
    if (this.#isOver) return;
    this.#isOver = true;
    this.#handler.onResponseEnd?.(this, {});
  }

  async #pump(body: AsyncIterable<Uint8Array>): Promise<void> {
    this.#reader = new BodyReader(body);
    try {
      while (!this.#isOver) {
        await this.#resumed();
        const { done, value } = await this.#reader.next();
        if (done) return;
        await this.#give(value);
      }
    } catch (error) {
      if (ConnectionFailure.isFrozen(error)) await this.#left();
      // A failing body drops unread data, so readers get a turn first, as with a socket.
      else if (error instanceof ConnectionFailure) await turn();
      if (!ConnectionFailure.isFrozen(error)) throw error;
    } finally {
      this.#reader.release();
    }
  }

  /** Resolves when the client has disconnected. */
  #left(): Promise<void> {
    const { signal } = this.#client;
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  }

  async #give(piece: Uint8Array): Promise<void> {
    await this.#resumed();
    // A copy: all watchers share the original, and a client may change its buffer.
    if (!this.#isOver && piece.byteLength > 0) this.#handler.onResponseData?.(this, Buffer.from(piece));
  }

  async #resumed(): Promise<void> {
    while (this.#isPaused && !this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#resume = resolve;
      });
    }
  }
}

type Pairs = readonly (readonly [name: string, value: string])[];

function wireHeaders(answer: ApiResponse, length: number | undefined): Pairs {
  const pairs: [string, string][] = answer.headers.map(([name, value]) => [name, wireFromText(value)]);
  const isFramed = pairs.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
  if (length !== undefined && !isFramed) pairs.push(["Content-Length", String(length)]);
  return pairs;
}

function parsed(pairs: Pairs): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of pairs) {
    const key = name.toLowerCase();
    const present = headers[key];
    headers[key] = present === undefined ? value : [present, value].flat();
  }
  return headers;
}
