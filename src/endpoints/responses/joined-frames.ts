import { concatenate, haveSamePieces } from "../../apimachinery/bytes.ts";

interface Joined {
  readonly frames: readonly Uint8Array[];
  readonly bytes: Uint8Array;
}

/** How many bytes are kept for other watchers. */
const largestKept = 64 * 1024;

/** By the first frame, which lives as long as its object keeps it. */
const results = new WeakMap<Uint8Array, Joined>();

/** The frames of events as one piece, joined once for all watchers that get the same frames. */
export function joinedFrames(frames: readonly Uint8Array[]): Uint8Array {
  const [first] = frames;
  if (first === undefined || frames.length === 1) return concatenate(frames);
  const known = results.get(first);
  if (known !== undefined && haveSamePieces(known.frames, frames)) return known.bytes;
  const bytes = concatenate(frames);
  if (bytes.byteLength <= largestKept) results.set(first, { frames, bytes });
  return bytes;
}
