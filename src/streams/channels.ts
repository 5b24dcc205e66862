import { base64Of, bytesOfBase64 } from "../apimachinery/base64.ts";
import { utf8Bytes } from "../apimachinery/utf8.ts";
import type { WebSocketConversation } from "../request/handler.ts";

/** A subprotocol of WebSockets whose messages start with the number of a channel. */
export interface ChannelProtocol {
  readonly name: string;
  /** In base64, the number is a digit, and both are text. */
  readonly isBase64: boolean;
  /** Whether a Status says how the process ended; otherwise a text says what went wrong. */
  readonly hasStatus: boolean;
  /** Whether the client can end a channel. */
  readonly hasClose: boolean;
}

/** The channels of a process (kubelet, pkg/cri/streaming/remotecommand/websocket.go). */
export const channels = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const;

const binary = { isBase64: false, hasStatus: true, hasClose: false };
const v5: ChannelProtocol = { ...binary, name: "v5.channel.k8s.io", hasClose: true };
const v4: readonly ChannelProtocol[] = [
  { ...binary, name: "v4.channel.k8s.io" },
  { ...binary, name: "v4.base64.channel.k8s.io", isBase64: true },
];
const v1: readonly ChannelProtocol[] = [
  { ...binary, name: "channel.k8s.io", hasStatus: false },
  { ...binary, name: "base64.channel.k8s.io", isBase64: true, hasStatus: false },
];
/** What a client without a subprotocol speaks. */
const unnamed: ChannelProtocol = { ...binary, name: "", hasStatus: false };

/** The protocols of exec and attach. */
export function processProtocols(hasV5: "withV5" | "withoutV5"): readonly ChannelProtocol[] {
  return [...(hasV5 === "withV5" ? [v5] : []), ...v4, ...v1, unnamed];
}

/** Those of port-forward. */
export const portProtocols: readonly ChannelProtocol[] = [...v4, unnamed];

/** The first protocol of the client that the server has; undefined if there is none. */
export function chosenProtocol(
  offered: readonly string[],
  served: readonly ChannelProtocol[],
): ChannelProtocol | undefined {
  const wanted = offered.length === 0 ? [""] : offered;
  for (const name of wanted) {
    const found = served.find((protocol) => protocol.name === name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A message on a channel. */
export interface ChannelMessage {
  readonly channel: number;
  readonly payload: Uint8Array;
}

/** Reads a message of a client; undefined for one without a channel, which is ignored. */
export function readMessage(message: Uint8Array, { isBase64 }: ChannelProtocol): ChannelMessage | undefined {
  const [channel] = message;
  if (channel === undefined) return undefined;
  if (!isBase64) return { channel, payload: message.subarray(1) };
  const text = new TextDecoder("latin1").decode(message.subarray(1));
  try {
    return { channel: channel - zero, payload: bytesOfBase64(text) };
  } catch {
    return undefined;
  }
}

const zero = 0x30;

/** Writes a message. */
export function messageOn(channel: number, payload: Uint8Array, { isBase64 }: ChannelProtocol): Uint8Array {
  const content = isBase64 ? utf8Bytes(base64Of(payload)) : payload;
  const message = new Uint8Array(content.byteLength + 1);
  message[0] = isBase64 ? zero + channel : channel;
  message.set(content, 1);
  return message;
}

/** The answer that opens a WebSocket with a protocol. */
export function conversation(
  { name, isBase64 }: ChannelProtocol,
  messages: WebSocketConversation["messages"],
): WebSocketConversation {
  return { protocol: name, type: isBase64 ? "text" : "binary", messages };
}
