import { type ApiRequest, type ApiResponseBody, BodyTooLargeError } from "./handler.ts";

/** What a request in the same process is made of. */
export interface PlainRequest {
  readonly method: string;
  readonly target: string;
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array;
  readonly signal: AbortSignal;
}

const empty = new Uint8Array();

/** A request without a transport. */
export function plainRequest(
  parts: Partial<PlainRequest> & Pick<PlainRequest, "method" | "target">,
): ApiRequest {
  const { method, target, headers = new Map(), body = empty } = parts;
  let signal = parts.signal;
  return {
    method,
    target,
    headers: {
      get: (name) => headers.get(name.toLowerCase()),
      getAll: (name) => {
        const value = headers.get(name.toLowerCase());
        return value === undefined ? [] : [value];
      },
    },
    body: async (limit) => {
      if (body.length > limit) throw new BodyTooLargeError();
      return body;
    },
    get signal() {
      signal ??= new AbortController().signal;
      return signal;
    },
  };
}

/** The whole body of a response; a stream is read to its end. */
export async function readResponseBody(body: ApiResponseBody): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  if (body instanceof Uint8Array) return body;
  if (body !== undefined) for await (const piece of body) pieces.push(piece);
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
