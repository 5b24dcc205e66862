import type { ApiRequest, HeaderLookup } from "./handler.ts";

/**
 * The same request with a body that can be read several times, each time with the limit of the first.
 * @param headers What the reader sees instead of the headers that were sent.
 */
export function rereadableRequest(request: ApiRequest, headers: HeaderLookup = request.headers): ApiRequest {
  const { method, target, connection } = request;
  let read: Promise<Uint8Array> | undefined;
  return {
    method,
    target,
    headers,
    connection,
    get signal() {
      return request.signal;
    },
    body: (limit) => {
      read ??= request.body(limit);
      return read;
    },
  };
}
