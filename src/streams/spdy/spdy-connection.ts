import { turn } from "../../apimachinery/clock.ts";
import { ownBytes } from "../container-streams.ts";
import { Pipe } from "../pipe.ts";
import { ByteReader } from "./byte-reader.ts";
import { HeaderReader, HeaderWriter, type StreamHeaders } from "./header-blocks.ts";
import {
  controlFrame,
  dataFrame,
  type FrameHead,
  finFlag,
  frameTypes,
  readFrameHead,
  resetStatus,
} from "./spdy-frames.ts";

/** As long as a control frame may be; they have headers at most. */
const longestControl = 64 * 1024;
/** As many streams as a connection has at a time. */
const mostStreams = 1000;

/** A stream that the client has opened. */
export interface SpdyStream {
  readonly id: number;
  readonly headers: StreamHeaders;
  /** What the client sends on it. */
  readonly received: Pipe;
  /** Aborts when the client resets it. */
  readonly signal: AbortSignal;
  /** Resolves when the client takes more. */
  write(piece: Uint8Array): Promise<void>;
  /** Ends this side. */
  close(): void;
  /** Ends both sides at once. */
  reset(): void;
}

/**
 * Looks at a stream that opens. Clients drop what comes before the reply, so nothing may be written until `replied` resolves.
 * @throws {Error} if it is refused
 */
export type AcceptStream = (stream: SpdyStream, replied: Promise<void>) => void;

/**
 * The server's end of a connection with SPDY/3.1, without flow control, as moby/spdystream has none: a reader that does not keep up holds
 * up the connection, once the pipe of its stream is full. `sent` has the bytes for the client.
 */
export class SpdyConnection {
  readonly sent: Pipe = new Pipe();
  readonly #source: ByteReader;
  readonly #accept: AcceptStream;
  readonly #reader = new HeaderReader();
  readonly #writer = new HeaderWriter();
  readonly #streams = new Map<number, OpenStream>();
  #lastStream = 0;

  constructor(received: AsyncIterable<Uint8Array>, accept: AcceptStream) {
    this.#source = new ByteReader(received);
    this.#accept = accept;
  }

  /** Reads frames until the client leaves or breaks the protocol, with which the connection ends. It never rejects. */
  async serve(): Promise<void> {
    try {
      for (;;) {
        const head = await this.#source.exactly(8);
        const frame = head && readFrameHead(head);
        if (frame === undefined || frame.type === frameTypes.goAway) return;
        if (frame.type === undefined) await this.#takeData(frame);
        else if (!(await this.#takeControl(frame, frame.type))) return;
      }
    } catch {
      // A client that breaks the protocol loses its connection, too.
    } finally {
      this.#reader.close();
      this.abandon();
      this.#source.leave();
    }
  }

  /** Says that no more follows, and ends the connection after what waits. */
  goAway(): void {
    void this.sent.write(controlFrame(frameTypes.goAway, [this.#lastStream, 0]));
    this.#endStreams();
    this.sent.end();
  }

  /** Drops everything: the client has left. After its GOAWAY, upstream's server also closes the connection. */
  abandon(): void {
    for (const stream of [...this.#streams.values()]) stream.isReset();
    this.#endStreams();
    this.sent.discard();
  }

  #endStreams(): void {
    for (const { received } of this.#streams.values()) received.end();
    this.#streams.clear();
  }

  /** Hands data on as they come, so that a long frame takes no more memory than a short one. */
  async #takeData({ stream: id, flags, length }: FrameHead): Promise<void> {
    for (let left = length; left > 0; ) {
      const piece = await this.#source.upTo(left);
      if (piece === undefined) throw new Error("the connection ends within a frame");
      left -= piece.byteLength;
      await this.#streams.get(id)?.received.receive(withoutRest(piece));
    }
    if ((flags & finFlag) !== 0) this.#streams.get(id)?.endReceived();
  }

  /** Returns whether the connection goes on. */
  async #takeControl({ flags, length }: FrameHead, type: number): Promise<boolean> {
    const bytes = length <= longestControl ? await this.#source.exactly(length) : undefined;
    if (bytes === undefined) return false;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (type === frameTypes.synStream)
      await this.#open(view.getUint32(0), flags, await this.#reader.read(bytes.subarray(10)));
    else if (type === frameTypes.synReply || type === frameTypes.headers)
      await this.#reader.read(bytes.subarray(4));
    else if (type === frameTypes.rstStream) this.#streams.get(view.getUint32(0))?.isReset();
    // The client's pings have odd numbers.
    else if (type === frameTypes.ping && view.getUint32(0) % 2 === 1)
      await this.sent.write(controlFrame(type, [view.getUint32(0)]));
    return true;
  }

  /** Waits until the client takes the answer, so that one that only opens streams does not fill the memory. */
  async #open(id: number, flags: number, headers: StreamHeaders): Promise<void> {
    if (id <= this.#lastStream || id % 2 === 0 || this.#streams.size >= mostStreams) {
      await this.sent.write(controlFrame(frameTypes.rstStream, [id, resetStatus.protocolError]));
      return;
    }
    this.#lastStream = id;
    const stream = new OpenStream(id, headers, this.sent, () => this.#streams.delete(id));
    this.#streams.set(id, stream);
    let reply = () => {};
    const replied = new Promise<void>((resolve) => {
      reply = resolve;
    });
    try {
      this.#accept(stream, replied);
    } catch {
      this.#streams.delete(id);
      await this.sent.write(controlFrame(frameTypes.rstStream, [id, resetStatus.refusedStream]));
      return;
    }
    if ((flags & finFlag) !== 0) stream.endReceived();
    const sent = this.sent.write(controlFrame(frameTypes.synReply, [id], this.#writer.write([])));
    reply();
    await sent;
  }
}

/** The bytes, without a larger buffer that they would keep in memory. */
function withoutRest(piece: Uint8Array): Uint8Array {
  return 2 * piece.byteLength < piece.buffer.byteLength ? ownBytes(piece) : piece;
}

/** A stream while at least one of its sides is open. */
class OpenStream implements SpdyStream {
  readonly id: number;
  readonly headers: StreamHeaders;
  readonly received: Pipe = new Pipe();
  readonly #sent: Pipe;
  readonly #remove: () => void;
  readonly #client = new AbortController();
  #isClosed = false;
  #isEnded = false;

  constructor(id: number, headers: StreamHeaders, sent: Pipe, remove: () => void) {
    this.id = id;
    this.headers = headers;
    this.#sent = sent;
    this.#remove = remove;
  }

  get signal(): AbortSignal {
    return this.#client.signal;
  }

  async write(piece: Uint8Array): Promise<void> {
    // A script that goes on writing lets the others go on, too.
    if (this.#isClosed) await turn();
    else if (piece.byteLength > 0) await this.#sent.write(dataFrame(this.id, piece, 0));
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    void this.#sent.write(dataFrame(this.id, new Uint8Array(), finFlag));
    if (this.#isEnded) this.#remove();
  }

  reset(): void {
    this.received.discard();
    if (!this.#isClosed)
      void this.#sent.write(controlFrame(frameTypes.rstStream, [this.id, resetStatus.cancel]));
    this.#isClosed = true;
    this.#remove();
  }

  /** The client has ended its side. */
  endReceived(): void {
    this.#isEnded = true;
    this.received.end();
    if (this.#isClosed) this.#remove();
  }

  /** The client has reset it. */
  isReset(): void {
    this.#isClosed = true;
    this.endReceived();
    this.#client.abort();
  }
}
