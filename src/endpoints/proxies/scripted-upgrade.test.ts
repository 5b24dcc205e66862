import { expect, test } from "vitest";
import type { WebSocketConversation } from "../../request/handler.ts";
import { plainRequest, readResponseBody } from "../../request/plain-request.ts";
import type { ProxyScript, ProxyWebSocketOptions, WebSocketScript } from "../../webhooks/pod-script.ts";
import { scriptedUpgrade } from "./scripted-upgrade.ts";

/** What a script answers to a request for another protocol. */
async function upgradedBy(
  script: ProxyScript,
  protocol = "websocket",
  signal = new AbortController().signal,
) {
  const request = plainRequest({
    method: "GET",
    target: "/api/v1/namespaces/default/pods/web/proxy/chat",
    headers: new Map(protocol === "" ? [] : [["upgrade", protocol]]),
    signal,
  });
  return scriptedUpgrade(script, { scheme: "", host: "10.0.0.7" }, request);
}

/** The WebSocket that a script accepts. */
async function accepted(
  run: WebSocketScript,
  options?: ProxyWebSocketOptions,
  signal?: AbortSignal,
): Promise<WebSocketConversation> {
  const { webSocket } = await upgradedBy(
    ({ upgrade }) => upgrade?.(run, options) ?? expect.unreachable("no WebSocket is offered"),
    "websocket",
    signal,
  );
  return webSocket ?? expect.unreachable("the WebSocket is not accepted");
}

async function* clientSays(...messages: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const message of messages) yield new TextEncoder().encode(message);
}

/** The messages of a conversation, to be read one by one. */
function messagesOf({ messages }: WebSocketConversation): AsyncIterator<Uint8Array> {
  return (messages(clientSays()) as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
}

async function heard({ messages }: WebSocketConversation, ...said: readonly string[]): Promise<string[]> {
  const texts: string[] = [];
  for await (const message of messages(clientSays(...said))) texts.push(new TextDecoder().decode(message));
  return texts;
}

test("a script sends texts and bytes, each as one message", async () => {
  const webSocket = await accepted(async ({ received, send }) => {
    await send("é");
    for await (const message of received) await send(message);
  });
  expect(await heard(webSocket, "a", "b")).toEqual(["é", "a", "b"]);
});

test.each([
  [undefined, { protocol: "", type: "text" }],
  [{ protocol: "chat" }, { protocol: "chat", type: "text" }],
  [{ type: "binary" } as const, { protocol: "", type: "binary" }],
])("a WebSocket accepted with %j has %j", async (options, expected) => {
  expect(await accepted(() => {}, options)).toMatchObject(expected);
});

test("a script that throws ends the connection after what it has sent", async () => {
  const webSocket = await accepted(({ send }) => {
    void send("bye");
    throw new Error("broken");
  });
  expect(await heard(webSocket)).toEqual(["bye"]);
});

test("a script learns that the client leaves", async () => {
  const client = new AbortController();
  const seen: AbortSignal[] = [];
  const webSocket = await accepted(({ signal }) => void seen.push(signal), undefined, client.signal);
  await heard(webSocket);
  expect(seen).toEqual([client.signal]);
});

test("what a script sends after the client has left is dropped", async () => {
  const webSocket = await accepted(async ({ send }) => {
    for (let count = 0; count < 3; count++) await send(new Uint8Array(100_000));
  });
  const messages = messagesOf(webSocket);
  expect((await messages.next()).value).toHaveLength(100_000);
  await messages.return?.();
  expect(await messages.next()).toEqual({ done: true, value: undefined });
});

test("a script does not wait for a client that has left before the first message", async () => {
  let end: () => void = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const webSocket = await accepted(async ({ send }) => {
    await send(new Uint8Array(100_000));
    end();
  });
  await messagesOf(webSocket).return?.();
  await ended;
});

test.each([
  ["websocket", true],
  ["WebSocket", true],
  ["SPDY/3.1", false],
  ["", false],
])("a request for the protocol %j offers a WebSocket: %s", async (protocol, expected) => {
  const offers: boolean[] = [];
  const response = await upgradedBy((request) => {
    offers.push(request.upgrade !== undefined);
    return new Response("no", { status: 404 });
  }, protocol);
  expect([offers, response.status]).toEqual([[expected], 404]);
  expect(response).not.toHaveProperty("webSocket");
});

// As upstream where it cannot hijack the connection.
test("a transport without connections answers what the script has accepted with 500", async () => {
  const { status, body } = await upgradedBy(
    ({ upgrade }) => upgrade?.(() => {}) ?? expect.unreachable("no WebSocket is offered"),
  );
  expect(status).toBe(500);
  expect(new TextDecoder().decode(await readResponseBody(body))).toBe(
    "request connection cannot be hijacked\n",
  );
});

test("a script that accepts and then answers otherwise has refused", async () => {
  const { status, webSocket } = await upgradedBy(({ upgrade }) => {
    upgrade?.(() => {});
    return new Response("no", { status: 403 });
  });
  expect([status, webSocket]).toEqual([403, undefined]);
});
