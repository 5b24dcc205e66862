import type { ApiResponseBody } from "../../request/handler.ts";
import { endOf } from "../../request/response-stream.ts";

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
    endOf(this.#iterator).catch(() => {});
  }
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
