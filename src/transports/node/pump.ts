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
      this.#body.onReady(() => this.#called());
      this.#called();
    });
  }

  /** Writes what the source has. */
  flush(): void {
    this.#isScheduled = false;
    if (this.#isPushed) this.#takeAll();
    this.#write();
  }

  release(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#body.close();
    this.#finish();
  }

  /** The source may have something. What can wait is read at the end of the turn, all at once. */
  #called(): void {
    if (this.#body.isUrgent) this.#takeAll();
    else this.#schedule();
  }

  /** Takes what the source has, unless the client has to take something first. */
  #takeAll(): void {
    const exchange = this.#exchange;
    try {
      while (!this.#isOver && !this.#isBlocked) {
        const piece = exchange.isOver ? undefined : this.#body.take();
        if (piece !== undefined) this.#collect(piece);
        else if (exchange.isOver || this.#body.ended) this.#end();
        else return;
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
    this.#schedule();
    if (this.#size >= this.#exchange.turn.batchSize) this.#write();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#isOver || this.#isBlocked) return;
    this.#isScheduled = true;
    const { turn } = this.#exchange;
    if (this.#isPushed) turn.flushAfterTurn(this);
    else turn.flushAfterTick(this);
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
      this.#takeAll();
    });
  }
}
