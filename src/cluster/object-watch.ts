import { StatusError } from "../apimachinery/errors/errors.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { Status } from "../apimachinery/status.ts";
import { parseJson } from "../codec/json/json.ts";
import type { ApiResponseBody } from "../request/handler.ts";
import { discardBody, isStreamed } from "../request/response-stream.ts";

/** A change of an object. */
export interface WatchEvent<T = KubeObject> {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  /** The new state; of a deleted object, its last one. */
  readonly object: T;
}

/** Sends the request of a watch and returns the body of the answer. */
type Open = (closing: AbortSignal) => Promise<ApiResponseBody>;

/** An open watch of a client. The request is sent at once, so that no later change is missed. */
export class ObjectWatch<T = KubeObject> implements AsyncIterableIterator<WatchEvent<T>> {
  readonly #closing = new AbortController();
  readonly #events: AsyncGenerator<WatchEvent<T>, undefined>;

  /** Use `watch` of a client. */
  constructor(open: Open, signal: AbortSignal | undefined) {
    const closing =
      signal === undefined ? this.#closing.signal : AbortSignal.any([signal, this.#closing.signal]);
    const body = open(closing);
    const discard = () => void body.then(discardBody, () => {});
    // Ends the body however the watch ends, even if it was never read.
    if (closing.aborted) discard();
    else closing.addEventListener("abort", discard, { once: true });
    this.#events = eventsOf(body, closing, () => this.#closing.abort());
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** The next event. @throws {StatusError} that ends the watch */
  next(): Promise<IteratorResult<WatchEvent<T>, undefined>> {
    return this.#events.next();
  }

  /** Ends the watch. */
  return(): Promise<IteratorResult<WatchEvent<T>, undefined>> {
    this.#closing.abort();
    return this.#events.return(undefined);
  }

  /** Ends the watch at the end of an `await using` block. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }
}

/** The pieces of a body, which is not a stream if a fault wrote the answer. */
function chunksOf(body: ApiResponseBody): AsyncIterable<Uint8Array> {
  if (isStreamed(body)) return body;
  const pieces = body instanceof Uint8Array ? [body] : (body ?? []);
  return (async function* () {
    yield* pieces;
  })();
}

async function* eventsOf<T>(
  body: Promise<ApiResponseBody>,
  closing: AbortSignal,
  close: () => void,
): AsyncGenerator<WatchEvent<T>, undefined> {
  try {
    const decoder = new TextDecoder();
    let text = "";
    for await (const chunk of chunksOf(await body)) {
      text += decoder.decode(chunk, { stream: true });
      const lines = text.split("\n");
      text = lines.pop() ?? "";
      for (const line of lines) {
        if (closing.aborted) return undefined;
        if (line !== "") yield eventOf<T>(line);
      }
    }
  } catch (error) {
    if (!closing.aborted) throw error;
  } finally {
    close();
  }
  return undefined;
}

/** @throws {StatusError} for an event that ends the watch */
function eventOf<T>(line: string): WatchEvent<T> {
  // A frame of a watch is an event.
  const event = parseJson(line) as JsonObject;
  // The object of an event with the type ERROR is a Status.
  if (event["type"] === "ERROR") throw new StatusError(event["object"] as unknown as Status);
  return event as unknown as WatchEvent<T>;
}
