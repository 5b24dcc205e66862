import { ConnectionFailure } from "../../request/connection-failure.ts";
import type { ApiResponse, Handler } from "../../request/handler.ts";
import type { LocalRequest } from "../../request/plain-request.ts";
import { isStreamed } from "../../request/response-stream.ts";
import { bufferedResponses, withUrl } from "./buffered-response.ts";
import { plainFetch } from "./plain-fetch.ts";
import { answerWebRequest, type SentRequest } from "./web-exchange.ts";
import { sentRequest, targetOf } from "./web-request.ts";
import { responseParts, type WebStreamOptions, webResponse } from "./web-response.ts";

/** The part of the web's fetch that clients call. */
export type Fetch = (input: Request | string | URL, init?: RequestInit) => Promise<Response>;

/** A fetch that calls a handler in this process for any origin. It touches no global before its first call. */
export function createFetch(handler: Handler): Fetch {
  return async (input, init) => {
    const sent = asSent(input, init);
    const url = sent.url.replace(/#.*/s, "");
    const respond: typeof webResponse = (answer, ...exchange) => received(url, answer, ...exchange);
    return answerWebRequest(handler, sent, {}, respond).catch(failed);
  };
}

/** The error of fetch when there is no answer. */
function failed(error: unknown): never {
  throw error instanceof ConnectionFailure ? new TypeError("fetch failed", { cause: error }) : error;
}

/** A Request is used unchanged: it may come from another realm, which this realm's constructor would not accept. */
function asSent(input: Request | string | URL, init: RequestInit | undefined): SentRequest {
  const isRequest = typeof input === "object" && "headers" in input;
  if (isRequest && init === undefined) {
    if (input.bodyUsed) throw new TypeError("Cannot fetch a Request whose body has been used");
    return sentRequest(input, targetOf(input.url));
  }
  const plain = isRequest ? undefined : plainFetch(input, init ?? {});
  if (plain !== undefined) return plain;
  const request = new Request(input, init);
  return sentRequest(request, targetOf(request.url));
}

/** The response as a client sees it: decompressed, with its URL. */
function received(
  url: string,
  answer: ApiResponse,
  request: LocalRequest,
  stream: WebStreamOptions = {},
): Response {
  const { headers, body } = answer;
  const isCompressed = headers.some(
    ([name, value]) => name.toLowerCase() === "content-encoding" && value === "gzip",
  );
  const create = isCompressed ? undefined : bufferedResponses();
  if (create !== undefined && !isStreamed(body)) {
    stream.onFinish?.();
    return create(url, responseParts(answer, request, body));
  }
  const response = webResponse(answer, request, stream);
  return withUrl(isCompressed ? decompressed(response) : response, url);
}

function decompressed(response: Response): Response {
  if (response.body === null) return response;
  const body = response.body.pipeThrough(new DecompressionStream("gzip"));
  return new Response(body, {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
  });
}
