import { concatenate } from "../../apimachinery/bytes.ts";
import { BodyTooLargeError } from "../../request/handler.ts";
import { type LocalRequest, plainRequest } from "../../request/plain-request.ts";
import { textFromWire } from "../contract/wire-text.ts";
import type { SentRequest } from "./web-exchange.ts";

/** What a web Request sends to this target. */
export function sentRequest(request: Request, target: string): SentRequest {
  const { url, signal } = request;
  return { url, signal, request: requestFromWebRequest(request, target) };
}

/** A web Request as the server receives it. Web headers join repeated values into one, and the host is only in the URL. */
export function requestFromWebRequest(request: Request, target: string): LocalRequest {
  const { method, url } = request;
  const headers = new Map([["host", new URL(url).host]]);
  request.headers.forEach((value, name) => void headers.set(name, textFromWire(value)));
  return plainRequest({ method, target, headers, read: (limit) => readBody(request, limit) });
}

/** Path and query of an absolute URL, unchanged. */
export function targetOf(url: string): string {
  const path = url.indexOf("/", url.indexOf("//") + 2);
  const fragment = url.indexOf("#", path);
  return fragment === -1 ? url.slice(path) : url.slice(path, fragment);
}

async function readBody(request: Request, limit: number): Promise<Uint8Array> {
  // Some browsers lack Request.body; there the whole body is read at once.
  if (request.body === undefined) return bounded(new Uint8Array(await request.arrayBuffer()), limit);
  if (request.body === null) return new Uint8Array(0);
  const reader = request.body.getReader();
  const pieces: Uint8Array[] = [];
  let total = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return concatenate(pieces, total);
    total += value.byteLength;
    if (total > limit) {
      reader.cancel().catch(() => {});
      throw new BodyTooLargeError();
    }
    pieces.push(value);
  }
}

function bounded(body: Uint8Array, limit: number): Uint8Array {
  if (body.byteLength > limit) throw new BodyTooLargeError();
  return body;
}
