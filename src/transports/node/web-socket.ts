import { createHash } from "node:crypto";
import type { Socket } from "node:net";
import { realTimeout, turn } from "../../apimachinery/clock.ts";
import type { ApiRequest, HeaderLookup } from "../../request/handler.ts";

const opcodes = { text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;
const normalClosure = 1000;
const protocolError = 1002;
/** The longest frame that `golang.org/x/net/websocket` takes. Where clients have nothing to say, a shorter one is enough. */
const longestFrame = { queued: 32 * 1024 * 1024, ignored: 64 * 1024 } as const;
/** As many bytes of a client as wait for their reader. */
const longestQueue = 256 * 1024;
/** What a message takes besides its bytes, so that many small ones fill the queue, too. */
const overhead = 128;
/** As much of a ping as is sent back, as in `golang.org/x/net/websocket`. */
const longestPong = 125;
/** How long the client has to close a connection that the server has ended. */
const closingMilliseconds = 2000;

/** The answer to a handshake: the headers that accept it, or the refusal. */
export type Handshake =
  | { readonly accepted: true; readonly head: string }
  | { readonly accepted: false; readonly head: string };

/**
 * Answers a handshake for a protocol without subprotocols of its own: clients name an origin and at most one subprotocol
 * besides that of a token. Upstream: `golang.org/x/net/websocket`.
 */
export function handshakeFor(request: Pick<ApiRequest, "method" | "headers">): Handshake {
  const { headers } = request;
  const failure = challengeFailure(request);
  if (failure !== undefined) return failure;
  const origin = versionOf(headers) === "8" ? "sec-websocket-origin" : "origin";
  if (!URL.canParse(headers.get(origin) ?? "")) return refused(403, "Forbidden");
  const protocols = subprotocolsOf(headers).filter((protocol) => !protocol.startsWith(tokenProtocol));
  return protocols.length > 1 ? refused(400, "Bad Request") : accepted(headers, protocols);
}

/** Answers a handshake with the subprotocol that the server selects, regardless of the origin. */
export function channelHandshakeFor(
  request: Pick<ApiRequest, "method" | "headers">,
  protocol: string,
): Handshake {
  return challengeFailure(request) ?? accepted(request.headers, protocol === "" ? [] : [protocol]);
}

/** Draft 8 of the protocol differs from its last form, 13, only in the header of the origin. */
function challengeFailure({
  method,
  headers,
}: Pick<ApiRequest, "method" | "headers">): Handshake | undefined {
  if (method !== "GET") return refused(405, "Method Not Allowed", "bad method");
  if (keyOf(headers) === "") return refused(400, "Bad Request", "challenge/response error");
  if (["8", "13"].includes(versionOf(headers))) return undefined;
  return refused(400, "Bad Request", "missing or bad WebSocket Version", "Sec-WebSocket-Version: 13\r\n");
}

function versionOf(headers: HeaderLookup): string {
  return headers.get("sec-websocket-version") ?? "";
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

/**
 * The server's end of an open WebSocket. Messages of the client wait in a bounded queue for their reader, or are ignored, as upstream
 * ignores them in a watch. Each frame counts as a message, as in `golang.org/x/net/websocket`.
 */
export class WebSocket {
  readonly #socket: Socket;
  readonly #use: keyof typeof longestFrame;
  readonly #frames = new FrameReader();
  readonly #messages: Uint8Array[] = [];
  #queued = 0;
  #wakeReader: (() => void) | undefined;
  #hasUntakenPong = false;
  #isClosed = false;
  #isFrozen = false;
  /** Whether the client says no more. */
  #isOver = false;

  constructor(socket: Socket, head: Uint8Array, use: keyof typeof longestFrame) {
    this.#socket = socket;
    this.#use = use;
    socket.on("data", (piece: Buffer) => this.#take(piece));
    socket.on("end", () => {
      this.#finish();
      socket.end();
      this.#endInTime();
    });
    socket.on("close", () => this.#finish());
    socket.on("drain", () => {
      if (!this.#hasUntakenPong) return;
      this.#hasUntakenPong = false;
      this.#readOn();
    });
    if (head.length > 0) this.#take(Buffer.from(head));
  }

  /** What the client says, for one reader. */
  get received(): AsyncIterable<Uint8Array> {
    return this.#read();
  }

  onClose(callback: () => void): void {
    if (this.#socket.destroyed) callback();
    else this.#socket.once("close", callback);
  }

  /** Resolves when the client takes more. Once it has left, the event loop turns, so that it tells those who send on and on. */
  async send(message: Uint8Array, type: "text" | "binary"): Promise<void> {
    if (this.#isClosed || !this.#socket.writable) return turn();
    if (this.#write(opcodes[type], message)) return;
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

  /** Says nothing more, not even to pings, and reads nothing more, but leaves the connection open. */
  freeze(): void {
    this.#isClosed = true;
    this.#isFrozen = true;
    this.#finish();
    this.#socket.pause();
  }

  close(status: number = normalClosure): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#write(opcodes.close, Uint8Array.of(status >> 8, status & 0xff));
    this.#finish();
    // A socket that is not read would never report the client's end.
    this.#socket.resume();
    this.#socket.end(() => this.#endInTime());
  }

  /** Ends the connection of a client that leaves it open, or that has left and does not take what still waits for it. */
  #endInTime(): void {
    const timer = realTimeout(closingMilliseconds, () => this.#socket.destroy());
    this.onClose(() => timer.cancel());
  }

  /** Ends what the client has ended, or broken. */
  #leave(status: number): void {
    this.close(status);
    this.#endInTime();
  }

  async *#read(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const message = this.#messages.shift();
      if (message !== undefined) {
        this.#queued -= message.byteLength + overhead;
        this.#readOn();
        yield message;
        continue;
      }
      if (this.#isOver) return;
      await new Promise<void>((resolve) => {
        this.#wakeReader = resolve;
      });
    }
  }

  /** Reads the client again, unless it has to wait. */
  #readOn(): void {
    const mustWait = this.#queued >= longestQueue || this.#hasUntakenPong;
    if (!mustWait && !this.#isFrozen) this.#socket.resume();
  }

  #finish(): void {
    this.#isOver = true;
    this.#wakeReader?.();
  }

  #write(opcode: number, payload: Uint8Array): boolean {
    if (this.#socket.destroyed || this.#socket.writableEnded) return true;
    this.#socket.cork();
    this.#socket.write(frameHead(opcode, payload.length));
    const takesMore = this.#socket.write(payload);
    this.#socket.uncork();
    return takesMore;
  }

  #take(piece: Buffer): void {
    if (this.#isClosed) return;
    this.#frames.add(piece);
    while (!this.#isClosed) {
      const frame = this.#frames.next(longestFrame[this.#use]);
      if (frame === undefined) return;
      if (frame === "invalid") {
        this.#leave(protocolError);
        return;
      }
      this.#handle(frame);
    }
  }

  #handle({ opcode, payload }: Frame): void {
    if (opcode === opcodes.close) this.#leave(normalClosure);
    else if (opcode === opcodes.ping) this.#answer(payload);
    else if (opcode <= opcodes.binary && this.#use === "queued") {
      this.#messages.push(payload);
      this.#queued += payload.byteLength + overhead;
      if (this.#queued >= longestQueue) this.#socket.pause();
      this.#wakeReader?.();
    }
  }

  /** A client that does not take the answers to its pings is not read meanwhile. */
  #answer(ping: Uint8Array): void {
    if (this.#write(opcodes.pong, ping.subarray(0, longestPong))) return;
    this.#hasUntakenPong = true;
    this.#socket.pause();
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
}

/** Finds the frames of a client in what arrives. Pieces are joined once there is a whole frame, so that no byte is copied often. */
class FrameReader {
  #pieces: Buffer[] = [];
  #size = 0;
  /** As many bytes as the next frame needs, as far as is known. */
  #needed = 2;

  add(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#size += piece.byteLength;
  }

  /** The next frame; undefined while it is incomplete. Clients must mask their frames. */
  next(longest: number): Frame | "invalid" | undefined {
    while (this.#size >= this.#needed) {
      const [first] = this.#pieces;
      const bytes = this.#pieces.length === 1 && first !== undefined ? first : Buffer.concat(this.#pieces);
      this.#pieces = [bytes];
      const extent = extentOf(bytes);
      if (extent === "invalid" || (extent.end ?? 0) - (extent.start ?? 0) > longest) return "invalid";
      const { start, end } = extent;
      this.#needed = end ?? start ?? 2;
      if (start === undefined || end === undefined || bytes.byteLength < end) continue;
      this.#pieces = bytes.byteLength === end ? [] : [bytes.subarray(end)];
      this.#size -= end;
      this.#needed = 2;
      return { opcode: bytes.readUInt8(0) & 0x0f, payload: unmasked(bytes, start, end) };
    }
    return undefined;
  }
}

/** Where the payload of the first frame starts and ends; `start` alone while its length has not come. */
interface FrameExtent {
  readonly start: number | undefined;
  readonly end: number | undefined;
}

function extentOf(bytes: Buffer): FrameExtent | "invalid" {
  const second = bytes.readUInt8(1);
  if ((second & 0x80) === 0) return "invalid";
  const short = second & 0x7f;
  if (short < 126) return { start: 6, end: 6 + short };
  const start = short === 126 ? 8 : 14;
  if (bytes.byteLength < start) return { start, end: undefined };
  const length = short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  return { start, end: start + length };
}

function unmasked(bytes: Buffer, start: number, end: number): Uint8Array {
  const mask = bytes.subarray(start - 4, start);
  const payload = new Uint8Array(bytes.subarray(start, end));
  for (let index = 0; index < payload.length; index++) {
    payload[index] = (payload[index] ?? 0) ^ (mask[index & 3] ?? 0);
  }
  return payload;
}
