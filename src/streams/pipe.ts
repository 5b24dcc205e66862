import { turn } from "../apimachinery/clock.ts";

/** As much as waits before a writer has to. */
const defaultLimit = 64 * 1024;
/** What a piece takes besides its bytes, so that many small pieces fill a pipe, too. */
const overhead = 128;

/**
 * Bytes on their way from a writer to one reader, or to several that share the pieces. A write resolves when less than the limit waits, so that neither side can fill the
 * memory. After the end, and once the reader has left, what is written is dropped.
 */
export class Pipe implements AsyncIterableIterator<Uint8Array> {
  readonly #limit: number;
  readonly #waiting: Uint8Array[] = [];
  #size = 0;
  #isEnded = false;
  #sleeping: (() => void)[] = [];
  #writers: (() => void)[] = [];

  constructor(limit: number = defaultLimit) {
    this.#limit = limit;
  }

  /** Whether no more is taken. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /**
   * Takes bytes that their writer does not change any more. An empty piece is a piece, too. After the end, the event loop turns: a writer
   * that goes on and on must not keep others from their work, nor from telling it that the client has left.
   */
  write(piece: Uint8Array): Promise<void> {
    if (this.#isEnded) return turn();
    this.#waiting.push(piece);
    this.#size += piece.byteLength + overhead;
    this.#wake();
    if (this.#size < this.#limit) return Promise.resolve();
    return new Promise((resolve) => this.#writers.push(resolve));
  }

  /** The same for bytes that come by themselves; after the end, it takes no time. */
  async receive(piece: Uint8Array): Promise<void> {
    if (!this.#isEnded) await this.write(piece);
  }

  /** The reader still gets what waits. */
  end(): void {
    this.#isEnded = true;
    this.#wake();
    this.#release();
  }

  /** Ends it and drops what waits. */
  discard(): void {
    this.#waiting.length = 0;
    this.#size = 0;
    this.end();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    for (;;) {
      const piece = this.#waiting.shift();
      if (piece !== undefined) {
        this.#size -= piece.byteLength + overhead;
        if (this.#size < this.#limit) this.#release();
        return { done: false, value: piece };
      }
      if (this.#isEnded) return { done: true, value: undefined };
      await new Promise<void>((resolve) => this.#sleeping.push(resolve));
    }
  }

  return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.discard();
    return Promise.resolve({ done: true, value: undefined });
  }

  /** Lets all who wait for a piece look again. */
  #wake(): void {
    const sleeping = this.#sleeping;
    this.#sleeping = [];
    for (const wake of sleeping) wake();
  }

  #release(): void {
    const writers = this.#writers;
    this.#writers = [];
    for (const resume of writers) resume();
  }
}
