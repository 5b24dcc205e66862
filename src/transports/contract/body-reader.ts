import type { ApiResponseBody } from "../../request/handler.ts";

const nothing = new Uint8Array(0);

/** Reads a streamed body piece by piece, and gives its source back exactly once, however the reading ends. */
export class BodyReader {
  readonly #iterator: AsyncIterator<Uint8Array>;
  #released = false;

  constructor(body: AsyncIterable<Uint8Array>) {
    this.#iterator = body[Symbol.asyncIterator]();
  }

  /** The next piece. Whoever meets the end or an error calls `release`. */
  next(): Promise<IteratorResult<Uint8Array>> {
    return this.#iterator.next();
  }

  /** Calls `return()` of the source. Its failure to clean up is not the client's concern. */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    returnOf(this.#iterator).catch(() => {});
  }
}

async function returnOf(iterator: AsyncIterator<Uint8Array>): Promise<void> {
  await iterator.return?.();
}

/** Whether the body is a stream. Asks no `instanceof`: test runners have typed arrays of several realms. */
export function isStreamed(body: ApiResponseBody): body is AsyncIterable<Uint8Array> {
  return body !== undefined && Symbol.asyncIterator in body;
}

/** Gives a body up that nobody is going to read. */
export function discardBody(body: ApiResponseBody): void {
  if (isStreamed(body)) new BodyReader(body).release();
}

/** The pieces of a body that is not a stream, in order. */
export function piecesOf(body: Exclude<ApiResponseBody, AsyncIterable<Uint8Array>>): readonly Uint8Array[] {
  if (body === undefined) return [];
  return isPieces(body) ? body : [body];
}

/** The number of bytes in some pieces. */
export function byteLengthOf(pieces: readonly Uint8Array[]): number {
  let total = 0;
  for (const piece of pieces) total += piece.byteLength;
  return total;
}

/** Some pieces as one; the piece itself when there is one. */
export function concatenate(pieces: readonly Uint8Array[], total: number = byteLengthOf(pieces)): Uint8Array {
  const [first = nothing] = pieces;
  if (pieces.length < 2) return first;
  const whole = new Uint8Array(total);
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.byteLength;
  }
  return whole;
}

// Array.isArray does not narrow readonly arrays.
function isPieces(body: Uint8Array | readonly Uint8Array[]): body is readonly Uint8Array[] {
  return Array.isArray(body);
}
