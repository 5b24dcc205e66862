import { concatenate } from "../../apimachinery/bytes.ts";
import { BodyReader } from "../contract/body-reader.ts";
import type { Exchange } from "./exchange.ts";

/**
 * Moves a streamed body to its client as fast as the client takes it. Pieces that are ready together are written
 * together: queuing many small writes costs more than copying them into one.
 */
export class Pump {
  readonly #exchange: Exchange;
  readonly #reader: BodyReader;
  /** The pieces to write together; rarely more than one. */
  #first: Uint8Array | undefined;
  #others: Uint8Array[] = [];
  #size = 0;
  /** How many bytes the client has not taken yet. */
  #waiting = 0;
  /** Pending while the client's buffer is full. */
  #blockage: Promise<void> | undefined;

  constructor(body: AsyncIterable<Uint8Array>, exchange: Exchange) {
    this.#exchange = exchange;
    this.#reader = new BodyReader(body);
  }

  /** Resolves when the source has ended or the client has disconnected. */
  async run(): Promise<void> {
    const exchange = this.#exchange;
    try {
      while (!exchange.isOver) {
        const { done, value } = await this.#reader.next();
        if (done || exchange.isOver) break;
        this.#take(value);
        if (this.#blockage !== undefined) await this.#blockage;
      }
      this.flush();
    } catch (error) {
      this.flush();
      exchange.fail(error);
    } finally {
      this.release();
    }
  }

  /** Writes what has been collected. */
  flush(): void {
    const first = this.#first;
    if (first === undefined) return;
    const whole = this.#others.length === 0 ? first : concatenate([first, ...this.#others], this.#size);
    const size = this.#size;
    this.#first = undefined;
    if (this.#others.length > 0) this.#others = [];
    this.#size = 0;
    if (this.#exchange.isOver || this.#exchange.write(whole)) return;
    // Wait from now on: the client may be ready before there is more to write.
    const { turn } = this.#exchange;
    turn.waitingBytes += size;
    this.#waiting += size;
    this.#blockage ??= this.#exchange.drained().then(() => {
      this.#blockage = undefined;
      turn.waitingBytes -= this.#waiting;
      this.#waiting = 0;
    });
  }

  release(): void {
    this.#reader.release();
  }

  #take(piece: Uint8Array): void {
    if (this.#first === undefined) {
      this.#first = piece;
      this.#exchange.turn.flushAtEnd(this);
    } else {
      this.#others.push(piece);
    }
    this.#size += piece.byteLength;
    if (this.#size >= this.#exchange.turn.batchSize) this.flush();
  }
}
