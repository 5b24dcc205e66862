import { utf8Bytes } from "../apimachinery/utf8.ts";
import type { ContainerInput, ContainerOutput, TerminalSize } from "../webhooks/pod-script.ts";
import { Pipe } from "./pipe.ts";

/** The streams between a client and a process, whatever protocol carries them. */
export interface ContainerStreams {
  readonly stdin: AsyncIterable<Uint8Array>;
  /** Undefined if the client did not ask for it. */
  readonly stdout: StreamWriter | undefined;
  readonly stderr: StreamWriter | undefined;
  readonly resize: AsyncIterable<TerminalSize>;
  readonly signal: AbortSignal;
}

/** Writes to a stream of the client. */
export interface StreamWriter {
  write(piece: Uint8Array): Promise<void>;
}

/** As much as one frame carries; client-go reads in pieces of this size. */
const longestPiece = 32 * 1024;

/** What a script writes to. Its bytes are copied, because it may use its buffer again. */
export function outputTo(writer: StreamWriter | undefined): ContainerOutput {
  return {
    async write(data) {
      if (writer === undefined) return;
      const bytes = typeof data === "string" ? utf8Bytes(data) : data.slice();
      for (let start = 0; start < bytes.byteLength; start += longestPiece) {
        await writer.write(bytes.subarray(start, start + longestPiece));
      }
    },
  };
}

/** What a script reads. */
export function inputFrom(pieces: AsyncIterable<Uint8Array>): ContainerInput {
  return {
    [Symbol.asyncIterator]: () => pieces[Symbol.asyncIterator](),
    async text() {
      const decoder = new TextDecoder();
      let text = "";
      for await (const piece of pieces) text += decoder.decode(piece, { stream: true });
      return text + decoder.decode();
    },
  };
}

/** A stream that has ended. */
export function ended(): Pipe {
  const pipe = new Pipe();
  pipe.end();
  return pipe;
}

/** As long as a size may be; longer ones end the sizes. */
const longestSize = 1024;

/**
 * The sizes of a terminal: JSON objects in a row, `{"Width":80,"Height":24}`. What is not such an object ends them, as an error of Go's
 * decoder does.
 */
export async function* terminalSizes(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<TerminalSize> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of pieces) {
    text += decoder.decode(piece, { stream: true });
    for (let end = text.indexOf("}"); end >= 0; end = text.indexOf("}")) {
      const size = sizeOf(text.slice(0, end + 1));
      if (size === undefined) return;
      yield size;
      text = text.slice(end + 1);
    }
    if (text.length > longestSize) return;
  }
}

function sizeOf(text: string): TerminalSize | undefined {
  try {
    const { Width: width = 0, Height: height = 0 } = JSON.parse(text);
    const isSize = (value: unknown) =>
      Number.isInteger(value) && Number(value) >= 0 && Number(value) < 65_536;
    return isSize(width) && isSize(height) ? { width, height } : undefined;
  } catch {
    return undefined;
  }
}
