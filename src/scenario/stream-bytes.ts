import { ConnectionFailure, type ConnectionFate } from "../request/connection-failure.ts";
import type { ApiResponse } from "../request/handler.ts";
import { piecesOf, type Scenario, type ScenarioOptions, type StruckServer, scenario } from "./scenario.ts";
import {
  afterEvents,
  contentTypeOf,
  framesOf,
  isWatch,
  joined,
  withBody,
  withFrames,
} from "./watch-frames.ts";

/** Into what pieces an answer is cut. */
export interface SliceOptions extends ScenarioOptions {
  /** How many bytes come at a time. Default: 1. */
  readonly bytes?: number;
}

/**
 * An answer in pieces of a few bytes, so that events, and the characters in them, are split. Faithful on every
 * transport.
 */
export function slice(options: SliceOptions = {}): Scenario {
  const { bytes = 1 } = options;
  return scenario("slice", options, { verb: "watch" }, async ({ answer }) => {
    const whole = await answer();
    return withBody(whole, sliced(piecesOf(whole.body), bytes));
  });
}

async function* sliced(pieces: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += bytes) {
      yield piece.subarray(at, at + bytes);
      await nextTask();
    }
  }
}

/** Resolves when transports have sent what they have. No timer: there is a wait for each byte, and those take a millisecond. */
function nextTask(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.addEventListener("message", () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(undefined);
  });
}

/**
 * Events that come two and two in one piece. The last waits until the next has come, or the watch ends. Faithful on
 * every transport.
 */
export function pairEvents(options: ScenarioOptions = {}): Scenario {
  return scenario("pairEvents", options, { verb: "watch" }, (server) =>
    withFrames(server, async function* (frames) {
      let first: Uint8Array | undefined;
      for await (const { bytes } of frames) {
        if (first === undefined) {
          first = bytes;
          continue;
        }
        yield joined(first, bytes);
        first = undefined;
      }
      if (first !== undefined) yield first;
    }),
  );
}

/** When an answer is cut. */
export interface CutOptions extends ScenarioOptions {
  /** How many events of a watch come whole before. Default: 0. */
  readonly afterEvents?: number;
  /** How many bytes come before, of any answer. Default: it is events that count. */
  readonly afterBytes?: number;
}

/** The answer ends within an event, or after some bytes, as if that were its end. Faithful on every transport. */
export function truncate(options: CutOptions = {}): Scenario {
  const { afterEvents: events = 0, afterBytes } = options;
  return scenario("truncate", options, { verb: "watch" }, async (server) => {
    if (afterBytes !== undefined) {
      const whole = await server.answer();
      return withBody(
        whole,
        firstBytes(piecesOf(whole.body), afterBytes, async function* () {}),
      );
    }
    return withFrames(server, async function* (frames) {
      let seen = 0;
      for await (const { bytes } of frames) {
        if (seen === events) {
          yield bytes.subarray(0, bytes.length >> 1);
          return;
        }
        seen += 1;
        yield bytes;
      }
    });
  });
}

/** The server's answer up to where its connection fails. What is no watch, is cut by its bytes. */
export async function cutAfter(
  { answer, watchFormat }: StruckServer,
  { afterEvents: events = 0, afterBytes }: CutOptions,
  fate: ConnectionFate,
): Promise<ApiResponse> {
  const whole = await answer();
  // biome-ignore lint/correctness/useYield: it fails instead
  const end = async function* (): AsyncGenerator<Uint8Array> {
    throw new ConnectionFailure(fate);
  };
  if (afterBytes !== undefined || !isWatch(whole)) {
    return withBody(withLength(whole), firstBytes(piecesOf(whole.body), afterBytes ?? 0, end));
  }
  const format = await watchFormat(contentTypeOf(whole));
  return withBody(whole, afterEvents(framesOf(whole, format), events, end));
}

/** An answer that says how long it is, if it knows, whatever comes of it. */
function withLength(answer: ApiResponse): ApiResponse {
  const { headers, body } = answer;
  if (body === undefined || Symbol.asyncIterator in body) return answer;
  const pieces: readonly Uint8Array[] = body instanceof Uint8Array ? [body] : body;
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return { ...answer, headers: [...headers, ["Content-Length", String(length)]] };
}

async function* firstBytes(
  pieces: AsyncIterable<Uint8Array>,
  bytes: number,
  end: () => AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let left = bytes;
  if (left > 0) {
    for await (const piece of pieces) {
      yield piece.subarray(0, left);
      left -= piece.length;
      if (left <= 0) break;
    }
  }
  yield* end();
}
