import { concatenate } from "../../apimachinery/bytes.ts";

/** Reads bytes that arrive in pieces of any length. */
export class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array();

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Exactly this many bytes; undefined at the end. */
  async exactly(length: number): Promise<Uint8Array | undefined> {
    const pieces: Uint8Array[] = [];
    for (let missing = length; missing > 0; ) {
      const piece = await this.upTo(missing);
      if (piece === undefined) return undefined;
      pieces.push(piece);
      missing -= piece.byteLength;
    }
    return concatenate(pieces);
  }

  /** Reads no more, also where the source goes on: a connection closes. */
  leave(): void {
    this.#source.return?.().catch(() => {});
  }

  /** What has arrived, but no more than this; undefined at the end. */
  async upTo(length: number): Promise<Uint8Array | undefined> {
    while (this.#rest.byteLength === 0) {
      const { done, value } = await this.#source.next();
      if (done) return undefined;
      this.#rest = value;
    }
    const piece = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(piece.byteLength);
    return piece;
  }
}
