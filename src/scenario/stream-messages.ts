import type { ApiResponse, ApiResponseBody, WebSocketConversation } from "../request/handler.ts";
import { derivedBody, discardBody, isStreamed } from "../request/response-stream.ts";
import { readFrameHead } from "../streams/spdy/spdy-frames.ts";
import { counted } from "./awaited-events.ts";
import { type FaultContext, piecesOf } from "./scenario.ts";
import { withBody } from "./watch-frames.ts";

/** Something that the server says on an upgraded connection. */
export interface StreamMessage {
  readonly bytes: Uint8Array;
  /** Whether it carries something for the client, rather than for the protocol. */
  readonly hasData: boolean;
  /** The channel of a WebSocket; undefined for SPDY. */
  readonly channel: number | undefined;
}

/** Makes what the client gets of what the server says, and reports when its effect is handed over. */
export type Change = (
  messages: AsyncGenerator<StreamMessage>,
  server: FaultContext,
  carrier: "webSocket" | "spdy",
) => AsyncGenerator<Uint8Array>;

/**
 * The server's answer to an upgrade, with changed messages once the transport hands the connection over. `awaited` says what the effect
 * waits for: "the fault waits for 3".
 */
export async function withMessages(
  server: FaultContext,
  awaited: string,
  change: Change,
): Promise<ApiResponse> {
  const answer = await server.answer();
  const { webSocket, status, body } = answer;
  if (webSocket === undefined && (status !== 101 || !isStreamed(body))) {
    server.missed(`its answer is ${status}, not an upgrade`);
    return answer;
  }
  let passed = 0;
  let state = "has not been handed over";
  const reason = () => `its connection ${state} after ${counted(passed, "message")}; ${awaited}`;
  server.waits(reason);
  const changed = (source: ApiResponseBody, read: Reader, carrier: "webSocket" | "spdy") => {
    state = "is open";
    const observed = async function* (): AsyncGenerator<StreamMessage> {
      for await (const bytes of piecesOf(source)) {
        const message = read(bytes);
        yield message;
        if (message.hasData) passed += 1;
      }
    };
    return derivedBody(change(observed(), server, carrier), () => {
      state = "ended";
      server.missed(reason());
      discardBody(source);
    });
  };
  if (webSocket === undefined) return withBody(answer, changed(body, spdyFrame, "spdy"));
  const read = readerOf(webSocket);
  const messages: WebSocketConversation["messages"] = (received) =>
    changed(webSocket.messages(received), read, "webSocket");
  return { ...answer, webSocket: { ...webSocket, messages } };
}

type Reader = (bytes: Uint8Array) => StreamMessage;

function readerOf({ protocol, type }: WebSocketConversation): Reader {
  // A WebSocket may carry SPDY instead of channels.
  if (protocol.startsWith("SPDY/")) return spdyFrame;
  const first = type === "text" ? zero : 0;
  return (bytes) => ({ bytes, hasData: bytes.byteLength > 1, channel: (bytes[0] ?? 0) - first });
}

/** The digit of the first channel where messages are text. */
const zero = 0x30;
/** The length of a frame of SPDY without its content. */
const headLength = 8;

/** The server says each frame of SPDY as one piece. */
function spdyFrame(bytes: Uint8Array): StreamMessage {
  const head = bytes.byteLength > headLength ? readFrameHead(bytes) : undefined;
  return { bytes, hasData: head !== undefined && head.type === undefined, channel: undefined };
}
