import { concatenate } from "../../apimachinery/bytes.ts";
import { type ApiRequest, BodyTooLargeError, type HeaderLookup } from "../../request/handler.ts";
import { textFromWire } from "../contract/wire-text.ts";
import type { SentRequest } from "./web-exchange.ts";

/** What a web Request sends to this target. */
export function sentRequest(request: Request, target: string): SentRequest {
  const { url, method, signal } = request;
  return { url, method, signal, apiRequest: (client) => requestFromWebRequest(request, target, client) };
}

/** The ApiRequest of a web Request. */
export function requestFromWebRequest(request: Request, target: string, signal: AbortSignal): ApiRequest {
  return {
    method: request.method,
    target,
    headers: headerLookup(request),
    body: (limit) => readBody(request, limit),
    signal,
  };
}

/** Path and query of an absolute URL, unchanged. */
export function targetOf(url: string): string {
  const path = url.indexOf("/", url.indexOf("//") + 2);
  const fragment = url.indexOf("#", path);
  return fragment === -1 ? url.slice(path) : url.slice(path, fragment);
}

/** Web headers join repeated values into one, and the host is only in the URL. */
function headerLookup({ headers, url }: Request): HeaderLookup {
  const get = (name: string): string | undefined => {
    const value = headers.get(name);
    if (value !== null) return textFromWire(value);
    return name.toLowerCase() === "host" ? new URL(url).host : undefined;
  };
  return {
    get,
    getAll: (name) => {
      const value = get(name);
      return value === undefined ? [] : [value];
    },
    startingWith: (prefix) => {
      const found: [string, string][] = [];
      headers.forEach((value, name) => {
        if (name.startsWith(prefix)) found.push([name, textFromWire(value)]);
      });
      return found;
    },
  };
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
