import type { JsonObject } from "../../apimachinery/json.ts";
import type { ApiResponseBody, WebSocketConversation } from "../../request/handler.ts";

/** A response before the pipeline adds the headers that all responses have. */
export interface EndpointResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: ApiResponseBody;
  /** The answer to a request with a document, instead of a body. */
  readonly document?: JsonObject;
  readonly webSocket?: WebSocketConversation;
  /** The rule for compression, if the client accepts it. Default: the body is never compressed. */
  readonly compression?: Compression;
}

/** `object` for objects, lists and Statuses in any format; `openapi` for the OpenAPI v2 document. */
export type Compression = "object" | "openapi";

const encoder = new TextEncoder();

/** Plain text, as Go's `http.Error` writes it. */
export function plainText(status: number, text: string): EndpointResponse {
  return {
    status,
    headers: [
      ["Content-Type", "text/plain; charset=utf-8"],
      ["X-Content-Type-Options", "nosniff"],
    ],
    body: encoder.encode(text),
  };
}

/** Plain text of a handler that sets no headers: Go recognizes its content type. */
export function sniffedText(status: number, text: string): EndpointResponse {
  return { status, headers: [["Content-Type", "text/plain; charset=utf-8"]], body: encoder.encode(text) };
}

/** The response of the mux for an unknown path. */
export function pageNotFound(): EndpointResponse {
  return plainText(404, "404 page not found\n");
}
