import type { Handler } from "../../request/handler.ts";
import { inProcessPeer } from "../../request/peer.ts";
import { answerUnlessAborted } from "../contract/answer.ts";
import { requestFromWebRequest } from "./web-request.ts";
import { type WebStreamOptions, webResponse } from "./web-response.ts";

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
  request: Request,
  target: string,
  options: WebExchangeOptions = {},
): Promise<Response> {
  const client = new AbortController();
  const { signal } = request;
  const leave = (): void => client.abort(signal.reason);
  if (signal.aborted) leave();
  else signal.addEventListener("abort", leave, { once: true });
  let isFinished = false;
  options.onLeave?.(() => {
    if (!isFinished) client.abort();
  });
  const onFinish = (): void => {
    isFinished = true;
    signal.removeEventListener("abort", leave);
    options.onFinish?.();
  };
  const apiRequest = requestFromWebRequest(request, target, client.signal);
  const answer = await answerUnlessAborted(handler, apiRequest, inProcessPeer);
  return webResponse(answer, request.method, client, { ...options, onFinish });
}
