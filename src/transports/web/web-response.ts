import { byteLengthOf, concatenate } from "../../apimachinery/bytes.ts";
import { ConnectionFailure } from "../../request/connection-failure.ts";
import type { ApiResponse } from "../../request/handler.ts";
import type { LocalRequest } from "../../request/plain-request.ts";
import { discardBody, isStreamed } from "../../request/response-stream.ts";
import { BodyReader, piecesOf } from "../contract/body-reader.ts";
import { statusText } from "../contract/status-text.ts";
import { wireFromText } from "../contract/wire-text.ts";

/** How a stream behaves. */
export interface WebStreamOptions {
  /**
   * What reads the stream: the client, or a library that writes it to a socket for the client. Such libraries write the
   * response headers only with the first bytes, need chunks to tell a failed stream from a finished one, and treat an
   * error after the client has disconnected as their own. Default: the client.
   */
  readonly reader?: "client" | "socket";
  /** Called whenever the reader wants a piece. */
  readonly onPull?: () => void;
  /** Called when nothing more follows, for any reason. */
  readonly onFinish?: () => void;
}

/** What a Response is created from. */
export interface ResponseParts {
  readonly status: number;
  readonly statusText: string;
  readonly headers: [name: string, value: string][];
  readonly body: Uint8Array | null;
}

/**
 * The Response for a web client that is connected until the request aborts; any part that notices a disconnect aborts it.
 * The stream then fails with the reason.
 */
export function webResponse(
  answer: ApiResponse,
  request: LocalRequest,
  stream: WebStreamOptions = {},
): Response {
  const { body } = answer;
  if (!isStreamed(body)) {
    stream.onFinish?.();
    return responseOf(responseParts(answer, request, body));
  }
  const headers = wireHeaders(answer);
  const init = { status: answer.status, statusText: statusText(answer.status), headers };
  if (!isBodyless(answer.status) && request.method !== "HEAD") {
    if (stream.reader === "socket" && !isFramed(headers)) headers.push(["Transfer-Encoding", "chunked"]);
    return new Response(webStream(body, request, stream), init);
  }
  discardBody(body);
  stream.onFinish?.();
  return new Response(null, init);
}

export function responseOf({ body, ...init }: ResponseParts): Response {
  // Response copies the bytes. Its type requires an ArrayBuffer; no memory here is shared between threads.
  return new Response(body as Uint8Array<ArrayBuffer> | null, init);
}

/** The parts of an answer that is not a stream. */
export function responseParts(
  answer: ApiResponse,
  { method }: Pick<LocalRequest, "method">,
  body: Parameters<typeof piecesOf>[0],
): ResponseParts {
  const { status } = answer;
  const headers = wireHeaders(answer);
  const pieces = piecesOf(body);
  const total = byteLengthOf(pieces);
  const bodyless = isBodyless(status);
  if (!bodyless && !isFramed(headers)) headers.push(["Content-Length", String(total)]);
  const content = bodyless || method === "HEAD" ? null : concatenate(pieces, total);
  return { status, statusText: statusText(status), headers, body: content };
}

function wireHeaders({ headers }: ApiResponse): [name: string, value: string][] {
  return headers.map(([name, value]) => [name, wireFromText(value)]);
}

/** Whether HTTP forbids a body with this status. */
export function isBodyless(status: number): boolean {
  return status < 200 || status === 204 || status === 205 || status === 304;
}

function isFramed(headers: ApiResponse["headers"]): boolean {
  return headers.some(([name]) => name === "Content-Length" || name === "Transfer-Encoding");
}

/** Pulls a piece from the source only when the client wants one, so that unread data stays in the bounded source. */
function webStream(
  body: AsyncIterable<Uint8Array>,
  client: LocalRequest,
  { reader: readBy = "client", onPull, onFinish }: WebStreamOptions,
): ReadableStream<Uint8Array> {
  const reader = new BodyReader(body);
  const { signal } = client;
  let leave = (): void => {};
  const finish = (): void => {
    signal.removeEventListener("abort", leave);
    reader.release();
    onFinish?.();
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        if (readBy === "socket") controller.enqueue(new Uint8Array(0));
        leave = () => {
          finish();
          if (readBy === "client") controller.error(signal.reason);
          else close(controller);
        };
        if (signal.aborted) leave();
        else signal.addEventListener("abort", leave, { once: true });
      },
      async pull(controller): Promise<void> {
        onPull?.();
        try {
          const { done, value } = await reader.next();
          if (signal.aborted) return;
          if (done) {
            finish();
            controller.close();
          } else {
            // A copy: all watchers share the original, and a client may detach its buffer.
            controller.enqueue(new Uint8Array(value));
          }
        } catch (error) {
          if (ConnectionFailure.isFrozen(error)) return new Promise(() => {});
          finish();
          controller.error(
            error instanceof ConnectionFailure ? new TypeError("terminated", { cause: error }) : error,
          );
        }
      },
      cancel(reason) {
        finish();
        client.abort(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Ends a stream, unless its reader has canceled it already: ending it again would throw. */
function close(controller: ReadableStreamDefaultController<Uint8Array>): void {
  try {
    controller.close();
  } catch {}
}
