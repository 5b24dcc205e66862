import { concatenate } from "../../apimachinery/bytes.ts";
import { AtMost } from "./at-most.ts";

/** As many bodies as Node compresses at a time. Each is copied, so that more would only take memory: gigabytes in an overload. */
const compressions = new AtMost(4);

/** Compresses a body. */
export function gzip(pieces: readonly Uint8Array[]): Promise<readonly Uint8Array[]> {
  return compressions.run(() => gzipped(pieces));
}

async function gzipped(pieces: readonly Uint8Array[]): Promise<readonly Uint8Array[]> {
  // In one piece, since each of thousands of pieces would pass two queues. The array is not shared memory.
  const whole = concatenate(pieces) as Uint8Array<ArrayBuffer>;
  const stream = new Blob([whole]).stream().pipeThrough(new CompressionStream("gzip"));
  const reader = stream.getReader();
  const compressedPieces: Uint8Array[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return compressedPieces;
    compressedPieces.push(value);
  }
}
