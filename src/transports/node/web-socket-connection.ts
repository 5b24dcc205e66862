import { type IncomingMessage, ServerResponse } from "node:http";
import { ConnectionFailure } from "../../request/connection-failure.ts";
import type { ApiRequest, ApiResponse, Handler, WebSocketConversation } from "../../request/handler.ts";
import { discardBody, isStreamed } from "../../request/response-stream.ts";
import { BodyReader } from "../contract/body-reader.ts";
import { Exchange } from "./exchange.ts";
import { peerFromIncomingMessage, requestFromIncomingMessage } from "./incoming-message.ts";
import { writeResponse } from "./server-response.ts";
import { sentOn, tunnel } from "./tunnel.ts";
import { hasWebSocket, lastResponse, type UpgradeConnection } from "./upgrade.ts";
import { channelHandshakeFor, handshakeFor, WebSocket } from "./web-socket.ts";
import { WriteTurn } from "./write-turn.ts";

/**
 * Answers a request for another protocol. Another server may take up the connection, for any protocol. On a WebSocket, each event of a watch is one message, of text in JSON and of bytes in other formats; a
 * stream that fails sends what this server says about it. A refusal is an ordinary answer. Upstream: `WatchServer.HandleWS`,
 * `StreamTranslatorHandler`.
 */
export async function serveUpgrade(
  handler: Handler,
  message: IncomingMessage,
  connection: UpgradeConnection,
): Promise<void> {
  const { socket } = connection;
  socket.on("error", () => {});
  // Never sent. It only signals to the request that the client disconnected.
  const presence = new ServerResponse(message);
  socket.once("close", () => presence.emit("close"));
  const exchange = new Exchange(message, presence, new WriteTurn());
  const request = requestFromIncomingMessage(exchange, () => sentOn(connection));
  try {
    const answer = await handler(request, peerFromIncomingMessage(message));
    if (answer.webSocket !== undefined) {
      await converse(answer.webSocket, request, connection);
      return;
    }
    if (answer.status === 101 && isStreamed(answer.body)) {
      await tunnel(answer.headers, answer.body, connection);
      return;
    }
    const events = hasWebSocket(message) ? watchOf(answer) : undefined;
    if (events === undefined) {
      await writeResponse(answer, new Exchange(message, lastResponse(message, socket), new WriteTurn()));
      return;
    }
    const handshake = handshakeFor(request);
    if (!handshake.accepted) {
      discardBody(events);
      socket.end(handshake.head);
      return;
    }
    socket.write(handshake.head);
    await sendAll(events, messageTypeOf(answer), new WebSocket(socket, connection.head, "ignored"));
  } catch (error) {
    if (ConnectionFailure.isFrozen(error)) return;
    socket.destroy();
  }
}

async function converse(
  { protocol, type, messages }: WebSocketConversation,
  request: ApiRequest,
  { socket, head }: UpgradeConnection,
): Promise<void> {
  const handshake = channelHandshakeFor(request, protocol);
  if (!handshake.accepted) {
    socket.end(handshake.head);
    return;
  }
  socket.write(handshake.head);
  const webSocket = new WebSocket(socket, head, "queued");
  const said = messages(webSocket.received);
  await sendAll(isStreamed(said) ? said : listed(said), type, webSocket);
}

async function* listed(messages: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* messages;
}

/** The stream of a watch; undefined for any other answer. */
function watchOf({ status, body }: ApiResponse): AsyncIterable<Uint8Array> | undefined {
  return status === 200 && isStreamed(body) ? body : undefined;
}

/** JSON is text. */
function messageTypeOf({ headers }: ApiResponse): "text" | "binary" {
  const contentType = headers.find(([name]) => name === "Content-Type")?.[1] ?? "";
  return contentType.startsWith("application/json") ? "text" : "binary";
}

async function sendAll(
  events: AsyncIterable<Uint8Array>,
  type: "text" | "binary",
  webSocket: WebSocket,
): Promise<void> {
  const reader = new BodyReader(events);
  webSocket.onClose(() => reader.release());
  try {
    for (let next = await reader.next(); !next.done; next = await reader.next()) {
      await webSocket.send(next.value, type);
    }
  } catch (error) {
    if (ConnectionFailure.isFrozen(error)) webSocket.freeze();
    throw error;
  } finally {
    reader.release();
  }
  webSocket.close();
}
