import type { Handler } from "../request/handler.ts";
import { inProcessPeer } from "../request/peer.ts";
import { answerUnlessAborted } from "./answer.ts";
import { requestFromWebRequest, targetOf } from "./web-request.ts";
import { webResponse } from "./web-response.ts";

/** The web's fetch, as far as clients call it. */
export type Fetch = (input: Request | string | URL, init?: RequestInit) => Promise<Response>;

/** A fetch that asks a handler in this process, whatever the origin. Touches no global before it is called. */
export function createFetch(handler: Handler): Fetch {
  return async (input, init) => {
    const request = asRequest(input, init);
    const client = new AbortController();
    const { signal } = request;
    const leave = (): void => client.abort(signal.reason);
    if (signal.aborted) leave();
    else signal.addEventListener("abort", leave, { once: true });
    const apiRequest = requestFromWebRequest(request, targetOf(request.url), client.signal);
    const answer = await answerUnlessAborted(handler, apiRequest, inProcessPeer);
    return received(webResponse(answer, request.method, client), request.url);
  };
}

/** A Request is taken as it is: it may come from another realm, which the constructor here would not know. */
function asRequest(input: Request | string | URL, init: RequestInit | undefined): Request {
  const isRequest = typeof input === "object" && "headers" in input;
  if (!isRequest || init !== undefined) return new Request(input, init);
  if (input.bodyUsed) throw new TypeError("Cannot fetch a Request whose body has been used");
  return input;
}

/** What a client sees of a response: decompressed, and with the address it came from. */
function received(response: Response, url: string): Response {
  const seen = response.headers.get("Content-Encoding") === "gzip" ? decompressed(response) : response;
  const fragment = url.indexOf("#");
  Object.defineProperty(seen, "url", { value: fragment === -1 ? url : url.slice(0, fragment) });
  return seen;
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
