import type { Exchange } from "./exchange.ts";

/**
 * Writes the pieces of a large answer, with backpressure. A list has many small ones, which are copied into a few large batches; as soon
 * as the client's buffers have taken a batch, its memory serves for the next one.
 */
export async function writeBatches(pieces: readonly Uint8Array[], exchange: Exchange): Promise<void> {
  const { turn } = exchange;
  exchange.response?.flushHeaders();
  for (let next = 0; next < pieces.length && !exchange.isOver; ) {
    const memory = turn.takeMemory();
    const { end, size } = copy(pieces, next, memory);
    const batch = end === next ? pieces[end] : memory.subarray(0, size);
    next = Math.max(end, next + 1);
    if (batch === undefined || batch.byteLength === 0) continue;
    const isTaken = exchange.write([batch], batch.byteLength);
    if (!isTaken && !exchange.isDrained) {
      turn.waitingBytes += batch.byteLength;
      await new Promise<void>((resolve) => exchange.whenDrained(resolve));
      turn.waitingBytes -= batch.byteLength;
    }
    if (exchange.isDrained) turn.reuse(memory);
  }
}

/** Copies as many pieces as fit, from the one at `start`. Returns the first that does not fit. */
function copy(
  pieces: readonly Uint8Array[],
  start: number,
  memory: Uint8Array,
): { readonly end: number; readonly size: number } {
  let size = 0;
  for (let end = start; end < pieces.length; end++) {
    const piece = pieces[end];
    if (piece === undefined || size + piece.byteLength > memory.byteLength) return { end, size };
    memory.set(piece, size);
    size += piece.byteLength;
  }
  return { end: pieces.length, size };
}
