import { StatusError } from "../apimachinery/errors/errors.ts";
import type { Status } from "../apimachinery/status.ts";
import type { WebSocketConversation } from "./handler.ts";

/** An error after the server has opened a WebSocket. Its Status is the response of transports that have none. */
export class WebSocketError extends StatusError {
  readonly webSocket: WebSocketConversation;

  constructor(status: Status, webSocket: WebSocketConversation) {
    super(status);
    this.webSocket = webSocket;
  }

  /** Compares names, as `StatusError` does. */
  static override [Symbol.hasInstance](value: unknown): value is WebSocketError {
    return value instanceof StatusError && "webSocket" in value;
  }
}
