import type { Handler } from "../../request/handler.ts";
import { inProcessPeer } from "../../request/peer.ts";
import type { LocalRequest } from "../../request/plain-request.ts";
import { answerTo, answerUnlessAborted } from "../contract/answer.ts";
import { type WebStreamOptions, webResponse } from "./web-response.ts";

/** What a web client sends. */
export interface SentRequest {
  readonly url: string;
  /** Aborts when the client does not want the answer any more. */
  readonly signal: AbortSignal | null | undefined;
  readonly request: LocalRequest;
}

export interface WebExchangeOptions extends WebStreamOptions {
  /** Receives a function to call when the client disconnects. Default: only the request's own signal reports it. */
  readonly onLeave?: (leave: () => void) => void;
}

/**
 * Answers a web request. Rejects with the reason when the client disconnects before the answer; after that, the answer's
 * stream ends instead.
 * @param respond Creates the response of an answer.
 */
export async function answerWebRequest(
  handler: Handler,
  { signal, request }: SentRequest,
  options: WebExchangeOptions = {},
  respond: typeof webResponse = webResponse,
): Promise<Response> {
  const leave = (): void => request.abort(signal?.reason);
  if (signal?.aborted) leave();
  else signal?.addEventListener("abort", leave, { once: true });
  let isFinished = false;
  options.onLeave?.(() => {
    if (!isFinished) request.abort();
  });
  const onFinish = (): void => {
    isFinished = true;
    signal?.removeEventListener("abort", leave);
    options.onFinish?.();
  };
  const mayLeave = Boolean(signal ?? options.onLeave);
  const answer = await (mayLeave ? answerUnlessAborted : answerTo)(handler, request, inProcessPeer);
  return respond(answer, request, { ...options, onFinish });
}
