import { concatenate } from "../../apimachinery/bytes.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type { ApiRequest, ApiResponseBody } from "../../request/handler.ts";
import type { Compression, EndpointResponse } from "../contract/endpoint-response.ts";
import { AtMost } from "./at-most.ts";

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

async function zipped(response: EndpointResponse, pieces: readonly Uint8Array[]): Promise<EndpointResponse> {
  const headers = [...response.headers];
  headers.push(["Content-Encoding", "gzip"]);
  // The handler of OpenAPI v2 has the header in every response.
  if (response.compression === "object") headers.push(["Vary", "Accept-Encoding"]);
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

/** As many bodies as Node compresses at a time. Each is copied, so that more would only take memory: gigabytes in an overload. */
const compressions = new AtMost(4);

/** Compresses a body. */
export function gzip(pieces: readonly Uint8Array[]): Promise<readonly Uint8Array[]> {
  return compressions.run(() => gzipped(pieces));
}

async function gzipped(pieces: readonly Uint8Array[]): Promise<readonly Uint8Array[]> {
  // In one piece, since each of thousands of pieces would pass two queues. The array is not shared memory.
  const whole = concatenate(pieces) as Uint8Array<ArrayBuffer>;
  const stream = new Blob([whole]).stream().pipeThrough(new CompressionStream("gzip"));
  const reader = stream.getReader();
  const compressedPieces: Uint8Array[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return compressedPieces;
    compressedPieces.push(value);
  }
}
