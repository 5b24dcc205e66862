import type { Exchange } from "./exchange.ts";

/** A piece of this size is written as it is; smaller ones are copied together, because each write has a cost of its own. */
const largePiece = 64 * 1024;
/** How much of a large piece is written at once, unless many clients are slow. */
const largestWrite = 256 * 1024;

/**
 * Writes the pieces of a large answer, with backpressure. Small ones are copied into a few large batches; as soon as the client's buffers
 * have taken a batch, its memory serves for the next one.
 */
export async function writeBatches(pieces: readonly Uint8Array[], exchange: Exchange): Promise<void> {
  const { turn } = exchange;
  exchange.response?.flushHeaders();
  for (let next = 0; next < pieces.length && !exchange.isOver; ) {
    const memory = turn.takeMemory();
    const { end, size } = copy(pieces, next, memory);
    const large = end === next ? pieces[end] : undefined;
    const waiting =
      large === undefined ? written(memory.subarray(0, size), exchange) : writeLarge(large, exchange);
    next = Math.max(end, next + 1);
    if (waiting !== undefined) await waiting;
    if (large !== undefined || exchange.isDrained) turn.reuse(memory);
  }
}

async function writeLarge(piece: Uint8Array, exchange: Exchange): Promise<void> {
  const { turn } = exchange;
  for (let start = 0; start < piece.byteLength && !exchange.isOver; ) {
    const end = start + (turn.isCrowded ? turn.batchSize : largestWrite);
    const waiting = written(piece.subarray(start, end), exchange);
    if (waiting !== undefined) await waiting;
    start = end;
  }
}

/** Writes bytes. The promise resolves when the client takes more. */
function written(bytes: Uint8Array, exchange: Exchange): Promise<void> | undefined {
  if (bytes.byteLength === 0) return undefined;
  if (exchange.write([bytes], bytes.byteLength) || exchange.isDrained) return undefined;
  const { turn } = exchange;
  turn.waitingBytes += bytes.byteLength;
  return new Promise<void>((resolve) => exchange.whenDrained(resolve)).then(() => {
    turn.waitingBytes -= bytes.byteLength;
  });
}

/** Copies as many small pieces as fit, from the one at `start`. Returns the first that is not copied. */
function copy(
  pieces: readonly Uint8Array[],
  start: number,
  memory: Uint8Array,
): { readonly end: number; readonly size: number } {
  let size = 0;
  for (let end = start; end < pieces.length; end++) {
    const piece = pieces[end];
    if (piece === undefined || piece.byteLength >= largePiece) return { end, size };
    if (size + piece.byteLength > memory.byteLength) return { end, size };
    memory.set(piece, size);
    size += piece.byteLength;
  }
  return { end: pieces.length, size };
}
