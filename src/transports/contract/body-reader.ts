import type { ApiResponseBody } from "../../request/handler.ts";

/** Reads a streamed body piece by piece and releases its source exactly once, however reading ends. */
export class BodyReader {
  readonly #iterator: AsyncIterator<Uint8Array>;
  #released = false;

  constructor(body: AsyncIterable<Uint8Array>) {
    this.#iterator = body[Symbol.asyncIterator]();
  }

  /** The next piece. The caller calls `release` at the end or after an error. */
  next(): Promise<IteratorResult<Uint8Array>> {
    return this.#iterator.next();
  }

  /** Calls `return()` of the source; errors of its cleanup are ignored. */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    returnOf(this.#iterator).catch(() => {});
  }
}

async function returnOf(iterator: AsyncIterator<Uint8Array>): Promise<void> {
  await iterator.return?.();
}

/** Whether the body is a stream. Avoids `instanceof`: test runners have typed arrays of several realms. */
export function isStreamed(body: ApiResponseBody): body is AsyncIterable<Uint8Array> {
  return body !== undefined && Symbol.asyncIterator in body;
}

/** Discards a body that will not be read. */
export function discardBody(body: ApiResponseBody): void {
  if (isStreamed(body)) new BodyReader(body).release();
}

/** The pieces, in order, of a body that is not a stream. */
export function piecesOf(body: Exclude<ApiResponseBody, AsyncIterable<Uint8Array>>): readonly Uint8Array[] {
  if (body === undefined) return [];
  return isPieces(body) ? body : [body];
}

// Array.isArray does not narrow readonly arrays.
function isPieces(body: Uint8Array | readonly Uint8Array[]): body is readonly Uint8Array[] {
  return Array.isArray(body);
}
