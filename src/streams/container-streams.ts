import { turn } from "../apimachinery/clock.ts";
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

/**
 * What a script writes to. Its bytes are copied, because it may use its buffer again. Once the client has left, each write takes a turn of
 * the event loop: a script that writes on and on does not keep the others from their work.
 */
export function outputTo(writer: StreamWriter | undefined, signal: AbortSignal): ContainerOutput {
  return {
    async write(data) {
      const bytes = ownBytes(data);
      if (signal.aborted) await turn();
      if (signal.aborted || writer === undefined) return;
      for (let start = 0; start < bytes.byteLength; start += longestPiece) {
        await writer.write(bytes.subarray(start, start + longestPiece));
      }
    },
  };
}

/** The bytes of a text, or a copy. The method `slice` of Node's Buffer would not copy. @throws {TypeError} for anything else */
export function ownBytes(data: string | Uint8Array): Uint8Array {
  if (typeof data === "string") return utf8Bytes(data);
  if (!ArrayBuffer.isView(data)) throw new TypeError("a write takes text or a Uint8Array");
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice();
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
/** As many sizes as wait for a script. Older ones are dropped: a script that reads none must not hold up the other streams. */
const mostSizes = 64;

/**
 * The sizes of a terminal: JSON objects in a row, `{"Width":80,"Height":24}`. What is not such an object ends them, as an error of Go's
 * decoder does. They are taken as they come, whether a script reads them or not.
 */
export function terminalSizes(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<TerminalSize> {
  const waiting: TerminalSize[] = [];
  let wake = () => {};
  let isOver = false;
  const take = async () => {
    for await (const size of sizesIn(pieces)) {
      waiting.push(size);
      if (waiting.length > mostSizes) waiting.shift();
      wake();
    }
  };
  void take().finally(() => {
    isOver = true;
    wake();
  });
  return (async function* () {
    for (;;) {
      const size = waiting.shift();
      if (size !== undefined) yield size;
      else if (isOver) return;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  })();
}

async function* sizesIn(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<TerminalSize> {
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
