import { ConnectionFailure } from "../../request/connection-failure.ts";
import type { ApiRequest, ApiResponse, Handler } from "../../request/handler.ts";
import type { Peer } from "../../request/peer.ts";
import { discardBody } from "../../request/response-stream.ts";

/**
 * Calls the handler for a client that may disconnect first: the promise then rejects at once with the reason, and the
 * handler's answer is discarded. On a frozen connection it stays pending until then.
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

/** Calls the handler for a client that waits for the answer. On a frozen connection, the promise stays pending. */
export function answerTo(handler: Handler, request: ApiRequest, peer: Peer): Promise<ApiResponse> {
  return handler(request, peer).catch((error: unknown) =>
    ConnectionFailure.isFrozen(error) ? new Promise<never>(() => {}) : Promise.reject(error),
  );
}
