import { constants, type OutgoingHttpHeaders } from "node:http2";
import { byteLengthOf, concatenate } from "../../apimachinery/bytes.ts";
import type { ApiResponse } from "../../request/handler.ts";
import { discardBody, isStreamed } from "../../request/response-stream.ts";
import { piecesOf } from "../contract/body-reader.ts";
import { statusText } from "../contract/status-text.ts";
import { wireFromText } from "../contract/wire-text.ts";
import { isBodyless } from "../web/web-response.ts";
import type { Exchange } from "./exchange.ts";
import { Pump } from "./pump.ts";
import { isLeftUnread, readOut } from "./unread-body.ts";
import { writeBatches } from "./write-batches.ts";

/** Bodies up to this size are copied and written at once. */
const largestWhole = 128 * 1024;

/** Sends an answer. Small answers are written when this returns; otherwise the promise resolves at the end. */
export function writeResponse(answer: ApiResponse, exchange: Exchange): Promise<void> | undefined {
  const { body } = answer;
  if (exchange.isOver) {
    discardBody(body);
    return undefined;
  }
  const isSilent = isBodyless(answer.status) || exchange.message.method === "HEAD";
  const isLast = exchange.response !== undefined && (exchange.isLast || isLeftUnread(exchange.message));
  if (isStreamed(body)) {
    writeHead(answer, exchange, undefined, isSilent, isLast);
    if (isSilent) discardBody(body);
    return ended(isSilent ? undefined : streamed(body, exchange), exchange, isLast);
  }
  const pieces = piecesOf(body);
  const total = byteLengthOf(pieces);
  writeHead(answer, exchange, total, isSilent, isLast);
  if (!isSilent && total <= largestWhole && !isLast) {
    finish(exchange, concatenate(pieces, total));
    return undefined;
  }
  return ended(isSilent ? undefined : writeBatches(pieces, exchange), exchange, isLast);
}

async function ended(written: Promise<void> | undefined, exchange: Exchange, isLast: boolean): Promise<void> {
  await written;
  if (isLast && !exchange.sink.destroyed) {
    exchange.response?.flushHeaders();
    await readOut(exchange);
  }
  finish(exchange);
}

async function streamed(body: AsyncIterable<Uint8Array>, exchange: Exchange): Promise<void> {
  const pump = new Pump(body, exchange);
  exchange.attach(pump);
  await pump.run();
}

function finish(exchange: Exchange, last?: Uint8Array): void {
  const { sink, stream } = exchange;
  if (exchange.isFrozen) return;
  exchange.complete();
  if (last !== undefined) exchange.writeLast(last);
  if (!sink.writableEnded) sink.end();
  // In HTTP/2, this means that the rest of the request will not be read.
  if (stream !== undefined && !stream.endAfterHeaders && !stream.readableEnded) {
    stream.once("finish", () => stream.close(constants.NGHTTP2_NO_ERROR));
  }
}

function writeHead(
  answer: ApiResponse,
  exchange: Exchange,
  length: number | undefined,
  isSilent: boolean,
  isLast: boolean,
): void {
  const { response, stream } = exchange;
  if (stream !== undefined) {
    stream.respond(http2Headers(answer, length), { endStream: isSilent || length === 0 });
    // Go does the same: GOAWAY, and the connection ends once its requests in flight have ended.
    if (answer.headers.some(isConnectionClose)) stream.session?.close();
  } else if (response !== undefined) {
    // Go does not send keep-alive, except to HTTP/1.0 clients.
    if (response.shouldKeepAlive && exchange.message.httpVersionMinor > 0)
      response.removeHeader("Connection");
    response.writeHead(answer.status, statusText(answer.status), http1Headers(answer, length, isLast));
    if (length === undefined) response.flushHeaders();
  }
}

function http1Headers(answer: ApiResponse, length: number | undefined, isLast: boolean): string[] {
  const flat: string[] = [];
  let isFramed = length === undefined || isBodyless(answer.status);
  for (const [name, value] of answer.headers) {
    if (isFraming(name)) isFramed = true;
    flat.push(name, wireFromText(value));
  }
  if (!isFramed) flat.push("Content-Length", String(length));
  if (isLast) flat.push("Connection", "close");
  return flat;
}

/** Connection headers. HTTP/2 throws on them. */
const connectionHeaders: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "upgrade",
  "http2-settings",
]);

function http2Headers(answer: ApiResponse, length: number | undefined): OutgoingHttpHeaders {
  const headers: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of answer.headers) {
    const key = name.toLowerCase();
    if (connectionHeaders.has(key)) continue;
    const wire = wireFromText(value);
    const present = headers[key];
    headers[key] = present === undefined ? wire : [present, wire].flat();
  }
  if (length !== undefined && !isBodyless(answer.status)) headers["content-length"] ??= String(length);
  return { ...headers, ":status": answer.status };
}

function isConnectionClose([name, value]: readonly [string, string]): boolean {
  return name.length === 10 && value === "close" && name.toLowerCase() === "connection";
}

/** Whether a header determines where the body ends. Compares lengths first: this runs for every header of every answer. */
function isFraming(name: string): boolean {
  if (name.length === 14) return name.toLowerCase() === "content-length";
  return name.length === 17 && name.toLowerCase() === "transfer-encoding";
}
