import type { ApiRequest } from "./handler.ts";

/** The same request with a body that can be read several times, each time with the limit of the first. */
export function rereadableRequest(request: ApiRequest): ApiRequest {
  const { method, target, headers } = request;
  let read: Promise<Uint8Array> | undefined;
  return {
    method,
    target,
    headers,
    get signal() {
      return request.signal;
    },
    body: (limit) => {
      read ??= request.body(limit);
      return read;
    },
  };
}
