import type { ApiResponse, ApiResponseBody } from "../request/handler.ts";
import { derivedBody, discardBody, isStreamed } from "../request/response-stream.ts";
import { counted } from "./awaited-events.ts";
import { type FaultContext, piecesOf } from "./scenario.ts";
import type { DecodedEvent, WatchFormat } from "./watch-format.ts";

/** An encoded event of a watch. */
export interface Frame {
  readonly bytes: Uint8Array;
  /** ADDED, MODIFIED, DELETED, BOOKMARK, ERROR. */
  readonly type: string;
  readonly decode: () => DecodedEvent;
}

/** The events of a watch, each in its encoded form. */
export async function* framesOf(answer: ApiResponse, format: WatchFormat): AsyncGenerator<Frame> {
  let left: Uint8Array = new Uint8Array();
  for await (const piece of piecesOf(answer.body)) {
    const { events, rest } = splitFrames(joined(left, piece), format);
    left = rest;
    for (const bytes of events) {
      yield { bytes, type: format.typeOf(bytes), decode: () => format.decode(bytes) };
    }
  }
}

/** The complete events in some bytes, and the rest. */
export function splitFrames(
  bytes: Uint8Array,
  { firstEnd }: WatchFormat,
): { readonly events: readonly Uint8Array[]; readonly rest: Uint8Array } {
  const events: Uint8Array[] = [];
  let rest = bytes;
  for (let end = firstEnd(rest); end !== undefined && rest.length > 0; end = firstEnd(rest)) {
    events.push(rest.subarray(0, end));
    rest = rest.subarray(end);
  }
  return { events, rest };
}

/** Two runs of bytes as one. */
export function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
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

/** The Content-Type of an answer; empty if it has none. */
export function contentTypeOf(answer: ApiResponse): string {
  return answer.headers.find(([name]) => name === "Content-Type")?.[1] ?? "";
}

/** Whether an answer is a stream of events rather than a refusal. */
export function isWatch({ status, body }: ApiResponse): boolean {
  return status === 200 && isStreamed(body);
}

/**
 * The server's answer to a watch with a changed stream: `change` receives the events, yields bytes and reports when its
 * effect is handed over. `awaited` says what the effect waits for: "the fault waits for 3".
 */
export async function withFrames(
  server: Pick<FaultContext, "answer" | "watchFormat" | "waits" | "missed">,
  awaited: string,
  change: (frames: AsyncGenerator<Frame>, format: WatchFormat) => AsyncIterable<Uint8Array>,
): Promise<ApiResponse> {
  const answered = await server.answer();
  if (!isWatch(answered)) {
    server.missed("its answer is not a watch");
    return answered;
  }
  const format = await server.watchFormat(contentTypeOf(answered));
  let passed = 0;
  const reason = (state: string) => `the watch ${state} after ${counted(passed, "event")}; ${awaited}`;
  server.waits(() => reason("is open"));
  const frames = framesOf(answered, format);
  const observed = async function* (): AsyncGenerator<Frame> {
    for await (const frame of frames) {
      yield frame;
      if (frame.type !== "BOOKMARK") passed += 1;
    }
  };
  const pieces = async function* (): AsyncGenerator<Uint8Array> {
    yield* change(observed(), format);
  };
  const release = () => {
    server.missed(reason("ended"));
    return discardBody(answered.body);
  };
  return withBody(answered, derivedBody(pieces(), release));
}

/** Passes on a number of events and then what `end` yields, unless the events end before. Bookmarks do not count. */
export async function* afterEvents(
  frames: AsyncIterable<Frame>,
  events: number,
  end: () => AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let left = events;
  if (left > 0) {
    for await (const { bytes, type } of frames) {
      yield bytes;
      if (type !== "BOOKMARK") left -= 1;
      if (left === 0) break;
    }
  }
  if (left === 0) yield* end();
}

/** Yields nothing and does not end before the client disconnects. */
export async function* silence(signal: AbortSignal): AsyncGenerator<Uint8Array> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
