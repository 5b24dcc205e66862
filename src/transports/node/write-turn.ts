import { unfaked } from "../../apimachinery/clock.ts";

/** Captured at load, so that fake timers of a test do not replace it. */
const nextTick = unfaked(process.nextTick, "nextTick");

const utf8 = new TextEncoder();
const lineBreak = utf8.encode("\r\n");

/** Has collected data to write. */
export interface Collector {
  /** Writes what has been collected. */
  flush(): void;
}

/** How many bytes are copied into one piece before they are written. */
const batchSize = 128 * 1024;
/** The same once so many bytes wait for slow clients, of which each holds one piece. */
const crowdedBatchSize = 8 * 1024;
const crowdedAt = 16 * 1024 * 1024;

/** What the clients of a port are sent in one turn of the event loop: at its end, all at once. */
export class WriteTurn {
  /** How many copied bytes wait for clients that do not take them. */
  waitingBytes = 0;
  #waiting: Collector[] = [];
  #lastPiece: Uint8Array | undefined;
  #lastChunk: Uint8Array | undefined;

  /** How many bytes of an answer are written together. */
  get batchSize(): number {
    return this.waitingBytes < crowdedAt ? batchSize : crowdedBatchSize;
  }

  /** Flushes the collector at the end of this turn. */
  flushAtEnd(collector: Collector): void {
    if (this.#waiting.length === 0) nextTick(() => this.#end());
    this.#waiting.push(collector);
  }

  /**
   * A piece as an HTTP/1.1 chunk (RFC 9112, 7.1). The last chunk of a turn is remembered: an event is one piece that goes
   * to all its watchers in turn.
   */
  chunkOf(piece: Uint8Array): Uint8Array {
    if (piece === this.#lastPiece && this.#lastChunk !== undefined) return this.#lastChunk;
    const size = utf8.encode(`${piece.byteLength.toString(16)}\r\n`);
    const chunk = new Uint8Array(size.byteLength + piece.byteLength + lineBreak.byteLength);
    chunk.set(size);
    chunk.set(piece, size.byteLength);
    chunk.set(lineBreak, size.byteLength + piece.byteLength);
    this.#lastPiece = piece;
    this.#lastChunk = chunk;
    return chunk;
  }

  #end(): void {
    const collectors = this.#waiting;
    this.#waiting = [];
    for (const collector of collectors) collector.flush();
    this.#lastPiece = undefined;
    this.#lastChunk = undefined;
  }
}
