import { ConnectionFailure } from "../../request/connection-failure.ts";
import type { ApiRequest, ApiResponse, Handler } from "../../request/handler.ts";
import type { Peer } from "../../request/peer.ts";
import { discardBody } from "./body-reader.ts";

/**
 * Asks the handler, for a client that may leave first: the promise then rejects with the reason at once, and what the
 * handler comes to say is given up. Over a connection that is frozen nothing comes before.
 */
export function answerUnlessAborted(handler: Handler, request: ApiRequest, peer: Peer): Promise<ApiResponse> {
  const { signal } = request;
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const leave = (): void => reject(signal.reason);
    const fail = (error: unknown): void => {
      if (ConnectionFailure.isFrozen(error)) return;
      signal.removeEventListener("abort", leave);
      reject(error);
    };
    signal.addEventListener("abort", leave, { once: true });
    handler(request, peer).then((answer) => {
      signal.removeEventListener("abort", leave);
      if (signal.aborted) discardBody(answer.body);
      else resolve(answer);
    }, fail);
  });
}
