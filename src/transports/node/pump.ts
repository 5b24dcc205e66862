import { isPushed, type PushedBody, pushedBody } from "../../request/pushed-body.ts";
import type { Exchange } from "./exchange.ts";

/**
 * Moves a streamed body to its client as fast as the client takes it. Pieces that are ready together are written
 * together: queuing many small writes costs more than copying them into one.
 */
export class Pump {
  readonly #exchange: Exchange;
  readonly #body: PushedBody;
  /** Whether the body decides when a piece comes, rather than the demand for it. */
  readonly #isPushed: boolean;
  /** The pieces to write together; rarely more than one. */
  #pieces: Uint8Array[] = [];
  #size = 0;
  #isScheduled = false;
  /** How many bytes the client has not taken yet. */
  #waiting = 0;
  /** Whether the client's buffer is full. */
  #isBlocked = false;
  #isOver = false;
  #finish: () => void = () => {};

  constructor(body: AsyncIterable<Uint8Array>, exchange: Exchange) {
    this.#exchange = exchange;
    this.#isPushed = isPushed(body);
    this.#body = pushedBody(body);
  }

  /** Resolves when the source has ended or the client has disconnected. */
  run(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isOver) {
        resolve();
        return;
      }
      this.#finish = resolve;
      this.#body.onReady(() => this.#advance());
      this.#advance();
    });
  }

  /** Writes what has been collected. */
  flush(): void {
    this.#isScheduled = false;
    this.#write();
    if (this.#isPushed) this.#advance();
  }

  release(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#body.close();
    this.#finish();
  }

  /** Takes what the source has, unless the client has to take something first. */
  #advance(): void {
    const exchange = this.#exchange;
    try {
      while (!this.#isOver && !this.#isBlocked) {
        const piece = exchange.isOver ? undefined : this.#body.take();
        if (piece !== undefined) this.#collect(piece);
        else if (exchange.isOver || this.#body.ended) this.#end();
        else return;
        // Whoever takes the next piece has received the last one, so it is written first.
        if (this.#isPushed && this.#size > 0) return;
      }
    } catch (error) {
      this.#write();
      exchange.fail(error);
      this.release();
    }
  }

  #end(): void {
    this.#write();
    this.release();
  }

  #collect(piece: Uint8Array): void {
    if (piece.byteLength === 0) return;
    this.#pieces.push(piece);
    this.#size += piece.byteLength;
    const { turn } = this.#exchange;
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      if (this.#isPushed) turn.flushAfterTurn(this);
      else turn.flushAfterTick(this);
    }
    if (this.#size >= turn.batchSize) this.#write();
  }

  #write(): void {
    const [pieces, size] = [this.#pieces, this.#size];
    if (size === 0) return;
    this.#pieces = [];
    this.#size = 0;
    if (this.#exchange.isOver || this.#exchange.write(pieces, size)) return;
    // Wait from now on: the client may be ready before there is more to write.
    const { turn } = this.#exchange;
    turn.waitingBytes += size;
    this.#waiting += size;
    if (this.#isBlocked) return;
    this.#isBlocked = true;
    this.#exchange.whenDrained(() => {
      this.#isBlocked = false;
      turn.waitingBytes -= this.#waiting;
      this.#waiting = 0;
      this.#advance();
    });
  }
}
