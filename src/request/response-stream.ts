import { concatenate } from "../apimachinery/bytes.ts";
import type { ApiResponseBody } from "./handler.ts";

/** Whether the body is a stream. Avoids `instanceof`: test runners have typed arrays of several realms. */
export function isStreamed(body: ApiResponseBody): body is AsyncIterable<Uint8Array> {
  return body !== undefined && Symbol.asyncIterator in body;
}

/** Ends a stream that is not read further. Errors of its cleanup are ignored. */
export function discardBody(body: ApiResponseBody): void {
  if (isStreamed(body)) endOf(body[Symbol.asyncIterator]()).catch(() => {});
}

/** Ends what an iterator reads from. */
export async function endOf(iterator: AsyncIterator<Uint8Array>): Promise<void> {
  await iterator.return?.();
}

/**
 * The pieces of a generator as a body whose `release` runs once, at its end. A generator alone runs no `finally` if its
 * reader leaves before the first piece, and would leave open what it reads from.
 */
export function derivedBody(
  pieces: AsyncGenerator<Uint8Array>,
  release: () => void,
): AsyncIterableIterator<Uint8Array> {
  return new DerivedBody(pieces, release);
}

class DerivedBody implements AsyncIterableIterator<Uint8Array> {
  readonly #pieces: AsyncGenerator<Uint8Array>;
  readonly #release: () => void;
  #isReleased = false;

  constructor(pieces: AsyncGenerator<Uint8Array>, release: () => void) {
    this.#pieces = pieces;
    this.#release = release;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    try {
      const piece = await this.#pieces.next();
      if (piece.done) this.#end();
      return piece;
    } catch (error) {
      this.#end();
      throw error;
    }
  }

  /** Releases first: a generator that waits for its source returns only when the source has ended. */
  async return(): Promise<IteratorResult<Uint8Array>> {
    this.#end();
    return this.#pieces.return(undefined);
  }

  #end(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#release();
  }
}

/** A part of a stream. */
export interface StreamPart {
  readonly bytes: Uint8Array;
  readonly isComplete: boolean;
  /** The length of the longest piece of the stream that has a byte of the part. */
  readonly pieceLength: number;
}

/**
 * Cuts a stream where `firstEnd` finds the end of a part, which is undefined while the part is incomplete. If the stream ends within a
 * part, that one comes last and is not complete.
 */
export async function* partsOf(
  body: AsyncIterable<Uint8Array>,
  firstEnd: (bytes: Uint8Array) => number | undefined,
): AsyncGenerator<StreamPart> {
  let rest: Uint8Array = new Uint8Array();
  let pieceLength = 0;
  for await (const piece of body) {
    pieceLength = rest.length === 0 ? piece.length : Math.max(pieceLength, piece.length);
    rest = rest.length === 0 ? piece : concatenate([rest, piece]);
    for (let end = firstEnd(rest); end !== undefined; end = firstEnd(rest)) {
      yield { bytes: rest.subarray(0, end), isComplete: true, pieceLength };
      rest = rest.subarray(end);
      pieceLength = piece.length;
    }
  }
  if (rest.length > 0) yield { bytes: rest, isComplete: false, pieceLength };
}
