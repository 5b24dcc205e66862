import { utf8Bytes } from "../../apimachinery/utf8.ts";

/** The most bytes of a note. */
const longest = 1024;
const end = " ...";

/**
 * A message as the note of an Event. Upstream: `truncateMessage` (pkg/scheduler/schedule_one.go), which counts bytes. It cuts characters apart, of
 * which clients see replacement characters; here, the last one is left out.
 */
export function truncatedNote(message: string): string {
  const bytes = utf8Bytes(message);
  if (bytes.byteLength <= longest) return message;
  // The decoder keeps the start of a character for the next piece, which does not come.
  return (
    new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, longest - end.length), {
      stream: true,
    }) + end
  );
}
