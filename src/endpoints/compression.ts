import type { FeatureGates } from "../catalog/feature-gates.ts";
import type { ApiRequest, ApiResponseBody } from "../request/handler.ts";
import type { EndpointResponse } from "./endpoint-response.ts";

/** Smaller answers are not worth the work (upstream's gate APIResponseCompression). */
const smallestCompressed = 128 * 1024;

/** The answer, compressed if the client takes that and it is large. Streams are left alone. */
export async function compressed(
  request: ApiRequest,
  response: EndpointResponse,
  gates: FeatureGates,
): Promise<EndpointResponse> {
  if (!gates.isEnabled("APIResponseCompression")) return response;
  const pieces = piecesOf(response.body);
  if (pieces === undefined || lengthOf(pieces) <= smallestCompressed || !acceptsGzip(request))
    return response;
  const headers: EndpointResponse["headers"] = [
    ...response.headers,
    ["Content-Encoding", "gzip"],
    ["Vary", "Accept-Encoding"],
  ];
  return { status: response.status, headers, body: await gzip(pieces) };
}

/** `gzip` alone is understood: a weight behind it makes it another word to upstream. */
function acceptsGzip(request: ApiRequest): boolean {
  const accepted = request.headers.get("accept-encoding") ?? "";
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

async function gzip(pieces: readonly Uint8Array[]): Promise<readonly Uint8Array[]> {
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new Uint8Array(piece));
      controller.close();
    },
  });
  const reader = stream.pipeThrough(new CompressionStream("gzip")).getReader();
  const zipped: Uint8Array[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return zipped;
    zipped.push(value);
  }
}
