import { endOf } from "./response-stream.ts";

/**
 * A stream that calls its reader when there is something to read; the reader then takes it at once, so that no promise is made for a
 * piece. What is not taken stays with the source. There is one reader, which can also iterate.
 */
export interface PushedBody extends AsyncIterable<Uint8Array> {
  /** Whether nothing follows what has been taken. */
  readonly ended: boolean;
  /** Whether it should be read as soon as it calls, rather than once for several calls: it has little room, or goes on only then. */
  readonly isUrgent: boolean;
  /**
   * Removes and returns the next piece; undefined if none is ready.
   * @throws the error of a stream that is broken off, once
   */
  take(): Uint8Array | undefined;
  /** Calls back when `take` may return something, or the stream has ended. Replaces an earlier callback. */
  onReady(callback: () => void): void;
  /** Ends the stream. Its reader calls this also at the end. */
  close(): void;
}

/** The body as one that calls its reader. */
export function pushedBody(body: AsyncIterable<Uint8Array>): PushedBody {
  return isPushed(body) ? body : new PushedIteration(body[Symbol.asyncIterator]());
}

/** Whether the body calls its reader. */
export function isPushed(body: AsyncIterable<Uint8Array>): body is PushedBody {
  return "take" in body;
}

/** The iterator of a body that calls its reader. */
export function pulled(body: PushedBody): AsyncIterableIterator<Uint8Array> {
  return new Pulled(body);
}

type Piece = IteratorResult<Uint8Array, undefined>;

interface Reader {
  resolve(piece: Piece): void;
  reject(error: unknown): void;
}

class Pulled implements AsyncIterableIterator<Uint8Array> {
  readonly #body: PushedBody;
  #reader: Reader | undefined;

  constructor(body: PushedBody) {
    this.#body = body;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Piece> {
    return new Promise((resolve, reject) => {
      this.#reader = { resolve, reject };
      this.#body.onReady(() => this.#answer());
      this.#answer();
    });
  }

  return(): Promise<Piece> {
    this.#body.close();
    return Promise.resolve({ done: true, value: undefined });
  }

  #answer(): void {
    const reader = this.#reader;
    if (reader === undefined) return;
    try {
      const value = this.#body.take();
      if (value === undefined && !this.#body.ended) return;
      this.#reader = undefined;
      reader.resolve(value === undefined ? { done: true, value } : { done: false, value });
    } catch (error) {
      this.#reader = undefined;
      reader.reject(error);
    }
  }
}

/** Asks its iterator for a piece when the reader has taken the last one and comes for the next. */
class PushedIteration implements PushedBody {
  readonly isUrgent = true;
  readonly #iterator: AsyncIterator<Uint8Array>;
  #piece: Uint8Array | undefined;
  #failure: { readonly error: unknown } | undefined;
  #isAsking = false;
  #ended = false;
  #isClosed = false;
  #callback: () => void = () => {};

  constructor(iterator: AsyncIterator<Uint8Array>) {
    this.#iterator = iterator;
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return pulled(this);
  }

  get ended(): boolean {
    return this.#ended && this.#piece === undefined && this.#failure === undefined;
  }

  take(): Uint8Array | undefined {
    const [piece, failure] = [this.#piece, this.#failure];
    this.#piece = undefined;
    this.#failure = undefined;
    if (failure !== undefined) throw failure.error;
    if (piece === undefined && !this.#ended && !this.#isAsking) this.#ask();
    return piece;
  }

  onReady(callback: () => void): void {
    this.#callback = callback;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#ended = true;
    endOf(this.#iterator).catch(() => {});
    this.#callback();
  }

  #ask(): void {
    this.#isAsking = true;
    this.#iterator.next().then(
      ({ done, value }) => {
        if (done) this.#ended = true;
        else if (!this.#isClosed) this.#piece = value;
        this.#answered();
      },
      (error) => {
        if (!this.#isClosed) this.#failure = { error };
        this.#ended = true;
        this.#answered();
      },
    );
  }

  #answered(): void {
    this.#isAsking = false;
    this.#callback();
  }
}
