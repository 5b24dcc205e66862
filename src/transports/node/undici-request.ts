import { stringify } from "node:querystring";
import { concatenate } from "../../apimachinery/bytes.ts";
import { type ApiRequest, BodyTooLargeError, type HeaderLookup } from "../../request/handler.ts";
import { textFromWire } from "../contract/wire-text.ts";

/** The part of undici's requests that both versions share. */
export interface DispatchOptions {
  readonly origin?: string | URL;
  readonly path: string;
  readonly method: string;
  readonly query?: Readonly<Record<string, string | readonly string[]>> | null;
  readonly headers?: DispatchHeaders;
  readonly body?: unknown;
  readonly upgrade?: boolean | string | null;
}

type HeaderValue = string | Buffer | number | undefined | null;
type DispatchHeaders =
  | readonly HeaderValue[]
  | Iterable<readonly [name: string, value: HeaderValue | readonly HeaderValue[]]>
  | Readonly<Record<string, HeaderValue | readonly HeaderValue[]>>
  | null;

/** The URL of a request as it would go over the wire. */
export function urlOf({ origin, path, query }: DispatchOptions): string {
  const search = query && Object.keys(query).length > 0 ? `?${stringify({ ...query })}` : "";
  return `${new URL(origin ?? "http://localhost").origin}${path.startsWith("/") ? path : `/${path}`}${search}`;
}

/** The ApiRequest of an undici request. */
export function requestFromDispatch(
  options: DispatchOptions,
  target: string,
  signal: AbortSignal,
): ApiRequest {
  return {
    method: options.method,
    target,
    headers: headerLookup(pairsOf(options)),
    body: (limit) => readBody(options.body, limit),
    signal,
  };
}

/** Discards the rest of a body. */
export function discardRequestBody(body: unknown): void {
  if (isReadable(body)) body.destroy();
}

function headerLookup(pairs: readonly (readonly [name: string, value: string])[]): HeaderLookup {
  const getAll = (name: string): readonly string[] => {
    const wanted = name.toLowerCase();
    return pairs.filter(([key]) => key === wanted).map(([, value]) => textFromWire(value));
  };
  const startingWith: HeaderLookup["startingWith"] = (prefix) =>
    pairs.filter(([key]) => key.startsWith(prefix)).map(([key, value]) => [key, textFromWire(value)]);
  return { getAll, get: (name) => getAll(name)[0], startingWith };
}

function pairsOf({ origin, headers, upgrade }: DispatchOptions): readonly (readonly [string, string])[] {
  const pairs: [string, string][] = [];
  const add = (name: HeaderValue, value: HeaderValue | readonly HeaderValue[]): void => {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined && each !== null) pairs.push([wire(name).toLowerCase(), wire(each)]);
    }
  };
  if (isFlat(headers)) {
    for (let index = 0; index < headers.length; index += 2) add(headers[index], headers[index + 1]);
  } else if (isIterable(headers)) {
    for (const [name, value] of headers) add(name, value);
  } else if (headers) {
    for (const [name, value] of Object.entries(headers)) add(name, value);
  }
  if (!pairs.some(([name]) => name === "host") && origin !== undefined) add("host", new URL(origin).host);
  if (typeof upgrade === "string") {
    add("connection", "upgrade");
    add("upgrade", upgrade);
  }
  return pairs;
}

function wire(value: HeaderValue): string {
  return Buffer.isBuffer(value) ? value.toString("latin1") : String(value);
}

function isFlat(headers: DispatchHeaders | undefined): headers is readonly HeaderValue[] {
  return Array.isArray(headers) && !Array.isArray(headers[0]);
}

function isIterable(
  headers: DispatchHeaders | undefined,
): headers is Iterable<readonly [string, HeaderValue | readonly HeaderValue[]]> {
  return typeof headers === "object" && headers !== null && Symbol.iterator in headers;
}

async function readBody(body: unknown, limit: number): Promise<Uint8Array> {
  const source = sourceOf(body);
  const iterator =
    Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  const pieces: Uint8Array[] = [];
  let total = 0;
  for (;;) {
    const { done, value } = await iterator.next();
    if (done) return concatenate(pieces, total);
    const bytes = typeof value === "string" ? Buffer.from(value) : value;
    total += bytes.byteLength;
    if (total > limit) {
      // Not awaited: the body of a fetch may end only after its response.
      Promise.resolve(iterator.return?.()).catch(() => {});
      throw new BodyTooLargeError();
    }
    pieces.push(bytes);
  }
}

type Piece = Uint8Array | string;

function sourceOf(body: unknown): Iterable<Piece> | AsyncIterable<Piece> {
  if (body === undefined || body === null) return [];
  if (typeof body === "string" || body instanceof Uint8Array) return [body];
  if (ArrayBuffer.isView(body)) return [new Uint8Array(body.buffer, body.byteOffset, body.byteLength)];
  if (body instanceof ArrayBuffer) return [new Uint8Array(body)];
  if (body instanceof Blob) return body.stream() as AsyncIterable<Uint8Array>;
  if (isSource(body)) return body;
  throw new TypeError("A request body must be text, bytes, a Blob or a stream of them");
}

/** Whether undici would iterate over it; neither undici nor this code checks the items. */
function isSource(body: unknown): body is Iterable<Piece> | AsyncIterable<Piece> {
  return (
    typeof body === "object" && body !== null && (Symbol.asyncIterator in body || Symbol.iterator in body)
  );
}

function isReadable(body: unknown): body is { destroy(): void } {
  return typeof body === "object" && body !== null && "pipe" in body && "destroy" in body;
}
