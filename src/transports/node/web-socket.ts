import { createHash } from "node:crypto";
import type { Socket } from "node:net";
import type { HeaderLookup } from "../../request/handler.ts";

const opcodes = { text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;
const normalClosure = 1000;
const protocolError = 1002;
/** Clients have nothing to say on these connections. */
const longestFrame = 64 * 1024;

/** The answer to a handshake: the headers that accept it, or the refusal. */
export type Handshake =
  | { readonly accepted: true; readonly head: string }
  | { readonly accepted: false; readonly head: string };

/** Whether a request asks for a WebSocket. */
export function isWebSocketRequest(headers: HeaderLookup): boolean {
  const wantsUpgrade = /(?:^|,\s*)upgrade(?:$|\s*,)/i.test(headers.get("connection") ?? "");
  return wantsUpgrade && headers.get("upgrade")?.toLowerCase() === "websocket";
}

/**
 * Answers a handshake for a protocol without subprotocols of its own: clients name an origin and at most one subprotocol
 * besides that of a token. Upstream: `golang.org/x/net/websocket`.
 */
export function handshakeFor(headers: HeaderLookup): Handshake {
  const failure = challengeFailure(headers);
  if (failure !== undefined) return failure;
  if (!URL.canParse(headers.get("origin") ?? "")) return refused(403, "Forbidden");
  const protocols = subprotocolsOf(headers).filter((protocol) => !protocol.startsWith(tokenProtocol));
  return protocols.length > 1 ? refused(400, "Bad Request") : accepted(headers, protocols);
}

/** Answers a handshake with the subprotocol that the server selects, regardless of the origin. */
export function channelHandshakeFor(headers: HeaderLookup, protocol: string): Handshake {
  return challengeFailure(headers) ?? accepted(headers, [protocol]);
}

function challengeFailure(headers: HeaderLookup): Handshake | undefined {
  if (keyOf(headers) === "") return refused(400, "Bad Request", "challenge/response error");
  if (headers.get("sec-websocket-version") === "13") return undefined;
  return refused(400, "Bad Request", "missing or bad WebSocket Version", "Sec-WebSocket-Version: 13\r\n");
}

function accepted(headers: HeaderLookup, protocols: readonly string[]): Handshake {
  const lines = ["HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade"];
  lines.push(`Sec-WebSocket-Accept: ${acceptanceOf(keyOf(headers))}`);
  for (const protocol of protocols) lines.push(`Sec-WebSocket-Protocol: ${protocol}`);
  return { accepted: true, head: `${lines.join("\r\n")}\r\n\r\n` };
}

function keyOf(headers: HeaderLookup): string {
  return headers.get("sec-websocket-key") ?? "";
}

/** The start of the subprotocol that contains a bearer token. */
const tokenProtocol = "base64url.bearer.authorization.k8s.io.";

function subprotocolsOf(headers: HeaderLookup): readonly string[] {
  return headers
    .getAll("sec-websocket-protocol")
    .flatMap((value) => value.split(","))
    .map((protocol) => protocol.trim())
    .filter((protocol) => protocol !== "");
}

function refused(status: number, reason: string, text = "", header = ""): Handshake {
  return {
    accepted: false,
    head: `HTTP/1.1 ${status} ${reason}\r\n${header}Connection: close\r\n\r\n${text}`,
  };
}

function acceptanceOf(key: string): string {
  return createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
}

/** The server's end of an open WebSocket on which only the server sends messages. */
export class WebSocketSender {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #isClosed = false;

  constructor(socket: Socket, head: Uint8Array) {
    this.#socket = socket;
    socket.on("data", (piece: Buffer) => this.#take(piece));
    socket.on("end", () => socket.end());
    if (head.length > 0) this.#take(Buffer.from(head));
  }

  /** Resolves when the client takes more, or has left. */
  async send(message: Uint8Array, type: "text" | "binary"): Promise<void> {
    if (this.#isClosed || this.#write(opcodes[type], message)) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.#socket.off("drain", done);
        this.#socket.off("close", done);
        resolve();
      };
      this.#socket.on("drain", done);
      this.#socket.on("close", done);
    });
  }

  close(status: number = normalClosure): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#write(opcodes.close, Uint8Array.of(status >> 8, status & 0xff));
    this.#socket.end();
  }

  #write(opcode: number, payload: Uint8Array): boolean {
    if (this.#socket.destroyed || this.#socket.writableEnded) return true;
    this.#socket.cork();
    this.#socket.write(frameHead(opcode, payload.length));
    const takesMore = this.#socket.write(payload);
    this.#socket.uncork();
    return takesMore;
  }

  /** Answers pings and the end of the connection; messages of clients are ignored, as upstream ignores them. */
  #take(piece: Buffer): void {
    this.#received = Buffer.concat([this.#received, piece]);
    while (!this.#isClosed) {
      const frame = readFrame(this.#received);
      if (frame === undefined) return;
      if (frame === "invalid") {
        this.close(protocolError);
        return;
      }
      this.#received = this.#received.subarray(frame.end);
      if (frame.opcode === opcodes.close) this.close();
      if (frame.opcode === opcodes.ping) this.#write(opcodes.pong, frame.payload);
    }
  }
}

/** The head of a frame: the length is in the second byte, or in the two or eight bytes after it. */
function frameHead(opcode: number, length: number): Uint8Array {
  const final = 0x80 | opcode;
  if (length < 126) return Uint8Array.of(final, length);
  if (length < 65536) return Uint8Array.of(final, 126, length >> 8, length & 0xff);
  const head = Buffer.alloc(10);
  head[0] = final;
  head[1] = 127;
  head.writeBigUInt64BE(BigInt(length), 2);
  return head;
}

interface Frame {
  readonly opcode: number;
  readonly payload: Uint8Array;
  readonly end: number;
}

/** The first frame of a client; undefined while it is incomplete. Clients must mask their frames. */
function readFrame(bytes: Buffer): Frame | "invalid" | undefined {
  if (bytes.length < 2) return undefined;
  const second = bytes.readUInt8(1);
  const short = second & 0x7f;
  if ((second & 0x80) === 0 || short === 127) return "invalid";
  const start = short === 126 ? 8 : 6;
  if (bytes.length < start) return undefined;
  const length = short === 126 ? bytes.readUInt16BE(2) : short;
  if (length > longestFrame) return "invalid";
  const end = start + length;
  if (bytes.length < end) return undefined;
  const mask = bytes.subarray(start - 4, start);
  const payload = bytes.subarray(start, end).map((byte, index) => byte ^ (mask[index % 4] ?? 0));
  return { opcode: bytes.readUInt8(0) & 0x0f, payload, end };
}
