import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type { ApiRequest, ApiResponseBody } from "../../request/handler.ts";
import type { Compression, EndpointResponse } from "../contract/endpoint-response.ts";

/** The size up to which bodies are not compressed. */
const largestPlain: { readonly [compression in Compression]: number } = {
  object: 128 * 1024,
  openapi: 1399,
};

/** The response, compressed if it is large and the client accepts that. */
export function compressed(
  request: ApiRequest,
  response: EndpointResponse,
  gates: FeatureGates,
): Promise<EndpointResponse> | EndpointResponse {
  const { compression } = response;
  if (compression === undefined || !acceptsGzip(request)) return response;
  if (compression === "object" && !gates.isEnabled("APIResponseCompression")) return response;
  const pieces = piecesOf(response.body);
  if (pieces === undefined || lengthOf(pieces) <= largestPlain[compression]) return response;
  return zipped(response, pieces);
}

/** Few answers are large, so what compresses them is loaded with the first. */
async function zipped(response: EndpointResponse, pieces: readonly Uint8Array[]): Promise<EndpointResponse> {
  const headers = [...response.headers];
  headers.push(["Content-Encoding", "gzip"]);
  // The handler of OpenAPI v2 has the header in every response.
  if (response.compression === "object") headers.push(["Vary", "Accept-Encoding"]);
  const { gzip } = await import("./gzip.ts");
  return { status: response.status, headers, body: await gzip(pieces) };
}

/** Accepts only plain `gzip`: upstream does not recognize it with a weight. */
function acceptsGzip(request: ApiRequest): boolean {
  const accepted = request.headers.get("accept-encoding");
  if (accepted === undefined) return false;
  return accepted.split(",").some((encoding) => encoding.trim() === "gzip");
}

function piecesOf(body: ApiResponseBody): readonly Uint8Array[] | undefined {
  if (body === undefined) return undefined;
  if (body instanceof Uint8Array) return [body];
  return Symbol.asyncIterator in body ? undefined : body;
}

function lengthOf(pieces: readonly Uint8Array[]): number {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  return length;
}
