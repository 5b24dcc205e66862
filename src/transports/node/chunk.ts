const utf8 = new TextEncoder();
const lineBreak = utf8.encode("\r\n");

let lastPiece: Uint8Array | undefined;
let lastChunk: Uint8Array | undefined;

/**
 * A piece as an HTTP/1.1 chunk (RFC 9112, 7.1). The latest chunk is cached until `forgetLastChunk`: an event is one
 * piece that is sent to all its watchers in turn.
 */
export function chunkOf(piece: Uint8Array): Uint8Array {
  if (piece === lastPiece && lastChunk !== undefined) return lastChunk;
  const size = utf8.encode(`${piece.byteLength.toString(16)}\r\n`);
  const chunk = new Uint8Array(size.byteLength + piece.byteLength + lineBreak.byteLength);
  chunk.set(size);
  chunk.set(piece, size.byteLength);
  chunk.set(lineBreak, size.byteLength + piece.byteLength);
  lastPiece = piece;
  lastChunk = chunk;
  return chunk;
}

/** Drops the latest chunk. */
export function forgetLastChunk(): void {
  lastPiece = undefined;
  lastChunk = undefined;
}
