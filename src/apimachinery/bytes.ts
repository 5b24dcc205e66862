const nothing = new Uint8Array(0);

/** The total number of bytes in the pieces. */
export function byteLengthOf(pieces: readonly Uint8Array[]): number {
  let total = 0;
  for (const piece of pieces) total += piece.byteLength;
  return total;
}

/** Joins the pieces into one buffer. A single piece is returned as it is. */
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

/** Whether two lists have the same pieces, not just equal ones. */
export function haveSamePieces(some: readonly Uint8Array[], others: readonly Uint8Array[]): boolean {
  if (some.length !== others.length) return false;
  for (let index = 0; index < some.length; index++) if (some[index] !== others[index]) return false;
  return true;
}
