import { expect, test } from "vitest";
import { StatusError, serviceUnavailable } from "../apimachinery/errors/errors.ts";
import type { WebSocketConversation } from "./handler.ts";
import { WebSocketError } from "./web-socket-error.ts";

const conversation: WebSocketConversation = { protocol: "v5", type: "binary", messages: () => [] };
const { status } = serviceUnavailable("no");

test("the error has the Status, and what is still said on the WebSocket", () => {
  const error = new WebSocketError(status, conversation);
  expect([error.status, error.code, error.webSocket]).toEqual([status, 503, conversation]);
  expect([error instanceof WebSocketError, error instanceof StatusError]).toEqual([true, true]);
});

test("no other error is one", () => {
  const others = [
    new StatusError(status),
    Object.assign(new Error("no"), { webSocket: conversation }),
    { webSocket: conversation },
    undefined,
  ];
  expect(others.map((error) => error instanceof WebSocketError)).toEqual([false, false, false, false]);
});
