import { haveSamePieces } from "../../apimachinery/bytes.ts";

const lineBreak = "\r\n";

/** The pieces that were joined last, and the result. */
interface Joined {
  readonly pieces: readonly Uint8Array[];
  readonly bytes: Uint8Array;
}

/**
 * Pieces that are joined once for all clients that get the same: the watchers of the same objects in the same form. They come
 * one after the other, so only the last result is remembered, until the end of the turn.
 */
export class SharedBytes {
  #joined: Joined | undefined;
  #chunk: Joined | undefined;

  /** The pieces as one. */
  joined(pieces: readonly Uint8Array[], size: number): Uint8Array {
    const [first] = pieces;
    if (first !== undefined && pieces.length === 1) return first;
    if (this.#joined === undefined || !haveSamePieces(this.#joined.pieces, pieces))
      this.#joined = { pieces, bytes: Buffer.concat(pieces, size) };
    return this.#joined.bytes;
  }

  /** The same as an HTTP/1.1 chunk (RFC 9112, 7.1). Node would write its length, bytes and line break separately, and for every client. */
  chunkOf(pieces: readonly Uint8Array[], size: number): Uint8Array {
    if (this.#chunk === undefined || !haveSamePieces(this.#chunk.pieces, pieces)) {
      const head = Buffer.from(`${size.toString(16)}${lineBreak}`, "latin1");
      const bytes = Buffer.concat([head, ...pieces, Buffer.from(lineBreak)]);
      this.#chunk = { pieces, bytes };
    }
    return this.#chunk.bytes;
  }

  /** Forgets the last results, which no other client will get. */
  forget(): void {
    this.#joined = undefined;
    this.#chunk = undefined;
  }
}
