import type { JsonObject } from "../apimachinery/json.ts";
import type { ApiResponse, ApiResponseBody } from "../request/handler.ts";
import { piecesOf } from "./scenario.ts";

const newline = 0x0a;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** An event of a watch in JSON, as a line. */
export interface Frame {
  readonly bytes: Uint8Array;
  /** ADDED, MODIFIED, DELETED, BOOKMARK, ERROR. */
  readonly type: string;
  /** The line as text. */
  readonly text: () => string;
}

/** The events of a watch in JSON, each as it was written. @throws {Error} for a watch in another format */
export async function* framesOf(answer: ApiResponse): AsyncGenerator<Frame> {
  const contentType = answer.headers.find(([name]) => name === "Content-Type")?.[1] ?? "";
  if (!contentType.startsWith("application/json")) {
    throw new Error(`this fault changes watches in JSON, and the client reads ${contentType}`);
  }
  let rest: Uint8Array = new Uint8Array();
  for await (const piece of piecesOf(answer.body)) {
    rest = joined(rest, piece);
    for (let end = rest.indexOf(newline); end >= 0; end = rest.indexOf(newline)) {
      const bytes = rest.subarray(0, end + 1);
      rest = rest.subarray(end + 1);
      yield { bytes, type: typeOf(bytes), text: () => decoder.decode(bytes) };
    }
  }
}

function typeOf(line: Uint8Array): string {
  // The type comes first, and is a word.
  return /^\{"type":"([A-Z]*)"/.exec(decoder.decode(line.subarray(0, 40)))?.[1] ?? "";
}

/** The line of an event. */
export function frame(type: string, object: JsonObject): Uint8Array {
  return line({ type, object });
}

/** Anything as a line. */
export function line(value: JsonObject): Uint8Array {
  return encoder.encode(`${JSON.stringify(value)}\n`);
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (a.length === 0) return b;
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

/** The same answer with another body. */
export function withBody(answer: ApiResponse, body: ApiResponseBody): ApiResponse {
  return { ...answer, body };
}

/** The answer to a watch, changed on its way: `change` gets the events and gives bytes. */
export function withFrames(
  answer: ApiResponse,
  change: (frames: AsyncGenerator<Frame>) => AsyncIterable<Uint8Array>,
): ApiResponse {
  return answer.status === 200 ? withBody(answer, change(framesOf(answer))) : answer;
}

/** So many events, and then what `end` says. Events that only tell how far the watch is do not count. */
export async function* afterEvents(
  frames: AsyncIterable<Frame>,
  events: number,
  end: () => AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let seen = 0;
  if (events > 0) {
    for await (const { bytes, type } of frames) {
      yield bytes;
      if (type !== "BOOKMARK") seen += 1;
      if (seen >= events) break;
    }
  }
  yield* end();
}

/** Says nothing more, and does not end before the client goes away. */
export async function* silence(signal: AbortSignal): AsyncGenerator<Uint8Array> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
