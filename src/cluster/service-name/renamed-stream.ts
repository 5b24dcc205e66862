import { derivedBody, discardBody, partsOf } from "../../request/response-stream.ts";

/** How a stream is divided into parts that can be renamed one by one. */
export interface StreamParts {
  /** The end of the first part of these bytes; undefined while it is incomplete. */
  readonly firstEnd: (bytes: Uint8Array) => number | undefined;
  readonly renamed: (part: Uint8Array) => Uint8Array;
}

/**
 * A stream with other names, in parts. What is incomplete waits for the next piece, or for the end, and then comes in pieces as
 * small as those that it waited for, so that a stream of small pieces stays one.
 */
export function renamedStream(
  body: AsyncIterable<Uint8Array>,
  parts: StreamParts,
): AsyncIterable<Uint8Array> {
  return derivedBody(inParts(body, parts), () => discardBody(body));
}

async function* inParts(
  body: AsyncIterable<Uint8Array>,
  { firstEnd, renamed }: StreamParts,
): AsyncGenerator<Uint8Array> {
  for await (const { bytes, pieceLength } of partsOf(body, firstEnd)) {
    const part = renamed(bytes);
    if (bytes.length <= pieceLength) yield part;
    else for (let at = 0; at < part.length; at += pieceLength) yield part.subarray(at, at + pieceLength);
  }
}

/** Longer words go on without waiting for their ends. */
const longestWord = 64 * 1024;

/** The end of the last word of a text that is certainly complete. A name, and a token, is within one word. */
export function textEnd(bytes: Uint8Array): number | undefined {
  if (bytes.length === 0) return undefined;
  for (let end = bytes.length; end > 0; end--) if (endsWord(bytes[end - 1] ?? 0)) return end;
  return bytes.length > longestWord ? bytes.length : undefined;
}

/** Whether an ASCII character is a space, a control character, a quote or a bracket: none is part of a name or a URL. */
function endsWord(byte: number): boolean {
  return byte <= 0x22 || byte === 0x7b || byte === 0x7d || byte === 0x5b || byte === 0x5d;
}
