import type { ApiRequest, Handler } from "../../request/handler.ts";
import { inProcessPeer } from "../../request/peer.ts";
import { answerUnlessAborted } from "../contract/answer.ts";
import { type WebStreamOptions, webResponse } from "./web-response.ts";

/** A request of a web client. */
export interface SentRequest {
  readonly url: string;
  readonly method: string;
  /** Aborts when the client does not want the answer any more. */
  readonly signal: AbortSignal | null | undefined;
  /** As the server receives it from a client that is connected until this signal aborts. */
  readonly apiRequest: (client: AbortSignal) => ApiRequest;
}

export interface WebExchangeOptions extends WebStreamOptions {
  /** Receives a function to call when the client disconnects. Default: only the request's own signal reports it. */
  readonly onLeave?: (leave: () => void) => void;
}

/**
 * Answers a web request. Rejects with the reason when the client disconnects before the answer; after that, the answer's
 * stream ends instead.
 */
export async function answerWebRequest(
  handler: Handler,
  { method, signal, apiRequest }: SentRequest,
  options: WebExchangeOptions = {},
): Promise<Response> {
  const client = new AbortController();
  const leave = (): void => client.abort(signal?.reason);
  if (signal?.aborted) leave();
  else signal?.addEventListener("abort", leave, { once: true });
  let isFinished = false;
  options.onLeave?.(() => {
    if (!isFinished) client.abort();
  });
  const onFinish = (): void => {
    isFinished = true;
    signal?.removeEventListener("abort", leave);
    options.onFinish?.();
  };
  const answer = await answerUnlessAborted(handler, apiRequest(client.signal), inProcessPeer);
  return webResponse(answer, method, client, { ...options, onFinish });
}
