import { concatenate } from "../apimachinery/bytes.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import { type ApiRequest, type ApiResponseBody, BodyTooLargeError, type HeaderLookup } from "./handler.ts";

/** The parts of a request in the same process. */
export interface PlainRequest {
  readonly method: string;
  readonly target: string;
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array;
  /** Reads a body that is not there yet, as `ApiRequest.body`. */
  readonly read: ApiRequest["body"];
  /** What the body says, with a function that encodes it if bytes are needed. */
  readonly handed: HandedBody;
  readonly signal: AbortSignal;
}

/** A body that is handed over as a value. */
export interface HandedBody {
  readonly document: JsonObject;
  readonly encode: (document: JsonObject) => Uint8Array;
}

const empty = new Uint8Array();
const none: readonly never[] = [];

type Parts = Partial<PlainRequest> & Pick<PlainRequest, "method" | "target">;

/** A request that has no signal of its client: the transport says when the client leaves. */
export interface LocalRequest extends ApiRequest {
  /** The client goes away, for this reason. */
  abort(reason?: unknown): void;
}

/** A request without a transport. */
export function plainRequest(parts: Parts & { readonly signal?: never }): LocalRequest;
export function plainRequest(parts: Parts): ApiRequest;
export function plainRequest(parts: Parts): ApiRequest {
  return new RequestInProcess(parts);
}

/** A class, because a getter in an object literal gives every object its own hidden class in V8. */
class RequestInProcess implements LocalRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: HeaderLookup;
  readonly document: JsonObject | undefined;
  readonly #body: Uint8Array | HandedBody | ApiRequest["body"];
  readonly #signal: AbortSignal | undefined;
  /** Few requests need one, and it costs as much as reading the request. */
  #client: AbortController | undefined;

  constructor(parts: Parts) {
    this.method = parts.method;
    this.target = parts.target;
    this.headers = new PlainHeaders(parts.headers ?? new Map());
    this.document = parts.handed?.document;
    this.#body = parts.read ?? parts.handed ?? parts.body ?? empty;
    this.#signal = parts.signal;
  }

  get signal(): AbortSignal {
    return this.#signal ?? this.#connection().signal;
  }

  abort(reason?: unknown): void {
    this.#connection().abort(reason);
  }

  #connection(): AbortController {
    this.#client ??= new AbortController();
    return this.#client;
  }

  async body(limit: number): Promise<Uint8Array> {
    if (typeof this.#body === "function") return this.#body(limit);
    // In a realm of Jest, bytes may be of another realm's Uint8Array.
    const body = "encode" in this.#body ? this.#body.encode(this.#body.document) : this.#body;
    if (body.length > limit) throw new BodyTooLargeError();
    return body;
  }
}

class PlainHeaders implements HeaderLookup {
  readonly #headers: ReadonlyMap<string, string>;

  constructor(headers: ReadonlyMap<string, string>) {
    this.#headers = headers;
  }

  get(name: string): string | undefined {
    return this.#headers.get(name.toLowerCase());
  }

  getAll(name: string): readonly string[] {
    const value = this.get(name);
    return value === undefined ? [] : [value];
  }

  startingWith(prefix: string): readonly (readonly [name: string, value: string])[] {
    let found: [string, string][] | undefined;
    for (const [name, value] of this.#headers) {
      if (!name.startsWith(prefix)) continue;
      found ??= [];
      found.push([name, value]);
    }
    return found ?? none;
  }
}

/** The whole body of a response; a stream is read to its end. */
export async function readResponseBody(body: ApiResponseBody): Promise<Uint8Array> {
  if (body === undefined) return empty;
  if (body instanceof Uint8Array) return body;
  if (!(Symbol.asyncIterator in body)) return concatenate(body);
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return concatenate(pieces);
}
