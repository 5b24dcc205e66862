import { Readable } from "node:stream";
// Not the global, which jsdom does not have.
import { setImmediate } from "node:timers";
import { byteLengthOf, concatenate } from "../../apimachinery/bytes.ts";
import { unfaked } from "../../apimachinery/clock.ts";
import { ConnectionFailure } from "../../request/connection-failure.ts";
import type { ApiResponse } from "../../request/handler.ts";
import { discardBody, isStreamed } from "../../request/response-stream.ts";
import { BodyReader, piecesOf } from "../contract/body-reader.ts";
import { wireFromText } from "../contract/wire-text.ts";
import { isBodyless } from "../web/web-response.ts";

/** Captured at load, so that fake timers of a test do not replace it. */
const nextTurn = unfaked(setImmediate, "setImmediate");

/** What a reply function of nock returns; headers alternate names and values, so that they may repeat. */
export type NockReply = readonly [status: number, body: Buffer | Readable, headers: string[]];

/** How the stream of a reply reaches its client. */
export interface ReplyStreamOptions {
  /** Called whenever a piece is wanted. */
  readonly onRead?: () => void;
  /** Called when nothing more follows, for any reason. */
  readonly onFinish: () => void;
}

/** An answer in nock's form. Its stream ends when `left` aborts. */
export function nockReply(
  answer: ApiResponse,
  method: string,
  left: AbortSignal,
  options: ReplyStreamOptions,
): NockReply {
  const { status, body } = answer;
  const headers = answer.headers.flatMap(([name, value]) => [name, wireFromText(value)]);
  const isFramed = answer.headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
  const isSilent = method === "HEAD" || isBodyless(status);
  if (isStreamed(body)) {
    if (!isSilent) {
      if (!isFramed) headers.push("Transfer-Encoding", "chunked");
      return [status, readable(body, left, options), headers];
    }
    discardBody(body);
    options.onFinish();
    return [status, Buffer.alloc(0), headers];
  }
  options.onFinish();
  const pieces = piecesOf(body);
  if (!isFramed && !isBodyless(status)) headers.push("Content-Length", String(byteLengthOf(pieces)));
  // A copy: the cluster keeps the original, and a client may change its buffer.
  return [status, isSilent ? Buffer.alloc(0) : Buffer.from(concatenate(pieces)), headers];
}

/**
 * A stream whose first piece is empty: it makes nock write the response headers, which it does only with the first piece.
 * When the client has disconnected, the stream ends instead of failing, because nothing would handle the error.
 */
function readable(
  body: AsyncIterable<Uint8Array>,
  left: AbortSignal,
  { onRead, onFinish }: ReplyStreamOptions,
): Readable {
  const reader = new BodyReader(body);
  let isOver = false;
  const finish = (): void => {
    if (isOver) return;
    isOver = true;
    left.removeEventListener("abort", leave);
    reader.release();
    onFinish();
  };
  const end = (): void => {
    if (isOver) return;
    finish();
    stream.push(null);
  };
  /** Deferred: nock 14 fails if a body ends while its client is destroying it. */
  const leave = (): void => {
    finish();
    nextTurn(() => stream.push(null));
  };
  const stream = new Readable({
    // Empty pieces pass only in object mode.
    objectMode: true,
    highWaterMark: 1,
    read: () => {
      onRead?.();
      reader.next().then(
        ({ done, value }) => {
          if (isOver) return;
          if (done) end();
          else stream.push(Buffer.from(value));
        },
        (error) => {
          if (ConnectionFailure.isFrozen(error)) return;
          finish();
          stream.destroy(error);
        },
      );
    },
    destroy: (error, callback) => {
      finish();
      callback(error);
    },
  });
  stream.push(Buffer.alloc(0));
  if (left.aborted) leave();
  else left.addEventListener("abort", leave, { once: true });
  return stream;
}
