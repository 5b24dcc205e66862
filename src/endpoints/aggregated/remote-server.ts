import type { ApiResponseBody } from "../../request/handler.ts";
import { derivedBody } from "../../request/response-stream.ts";
import type { ApiServerFunction } from "../../webhooks/api-server-function.ts";

/** A request to another server. */
export interface RemoteRequest {
  readonly method: string;
  readonly url: URL;
  /** The name and port of the server; a URL omits the usual port. */
  readonly host: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | AsyncIterable<Uint8Array> | undefined;
  /** What the client sends in another protocol, if it requests one and the server takes it up. */
  readonly connection: AsyncIterable<Uint8Array> | undefined;
  /** Aborts when the client goes away, or when the answer is late. */
  readonly signal: AbortSignal;
}

/** The answer of another server, unchanged. A server that takes up another protocol answers 101 with a stream. */
export interface RemoteResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: ApiResponseBody;
}

/** Another server. It rejects with an Error whose message is that of Go's client. */
export type RemoteServer = (request: RemoteRequest) => Promise<RemoteResponse>;

/** Where a request of a client goes. */
export interface ProxyTarget {
  readonly server: RemoteServer;
  readonly url: URL;
  /** What the server is called. */
  readonly host: string;
  readonly hasUids: boolean;
}

/** The server that a function of the test is. What it throws is a connection that fails. */
export function functionServer(serve: ApiServerFunction): RemoteServer {
  return async ({ method, url, headers, body, connection, signal }) => {
    if (connection !== undefined) {
      throw new Error("a function cannot take up another protocol; give the Service an address instead");
    }
    const init: RequestInit = { method, headers: headersOf(headers), signal };
    if (body !== undefined) init.body = bodyOf(body);
    // Streams of requests need it; the types of the web's library do not have it yet.
    const streamed = { ...init, duplex: "half" as const };
    const response = await answered(serve(new Request(url, streamed)), signal);
    if (!(response instanceof Response)) throw new Error("the function returned no Response");
    if (response.type === "error") throw new Error("the function returned a Response of a network error");
    const { status } = response;
    return {
      status,
      headers: [...response.headers],
      body: response.body ? piecesOf(response.body) : undefined,
    };
  };
}

/** The answer, unless the client goes away first: a function may ignore the signal. */
function answered<T>(answer: T | Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(new Error("context canceled"));
    if (signal.aborted) leave();
    signal.addEventListener("abort", leave, { once: true });
    Promise.resolve(answer)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", leave));
  });
}

function headersOf(pairs: RemoteRequest["headers"]): Headers {
  const headers = new Headers();
  for (const [name, value] of pairs) headers.append(name, value);
  return headers;
}

function bodyOf(body: Uint8Array | AsyncIterable<Uint8Array>): Uint8Array<ArrayBuffer> | ReadableStream {
  // No memory here is shared between threads.
  if (body instanceof Uint8Array) return body as Uint8Array<ArrayBuffer>;
  const iterator = body[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

/** The pieces of a stream, each read when the client wants it. A client that leaves cancels the stream. */
function piecesOf(stream: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> {
  const reader = stream.getReader();
  return derivedBody(read(reader), () => {
    reader.cancel().catch(() => {});
  });
}

async function* read(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    if (!ArrayBuffer.isView(value)) throw new TypeError("the body of a Response has Uint8Arrays only");
    yield value;
  }
}
