import type { ApiResponseBody } from "../../request/handler.ts";

/** An answer before the pipeline adds what every answer has. */
export interface EndpointResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: ApiResponseBody;
  /** By whose rules the body is compressed for clients that take that. Default: nobody's, it never is. */
  readonly compression?: Compression;
}

/** Objects, lists and Statuses, however they are written, are compressed by one rule; the document of OpenAPI v2 by another. */
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

/** What the mux answers for a path that nobody registered. */
export function pageNotFound(): EndpointResponse {
  return plainText(404, "404 page not found\n");
}
