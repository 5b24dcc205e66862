import { ConnectionFailure, type ConnectionFailureKind } from "../request/connection-failure.ts";
import type { ApiResponse } from "../request/handler.ts";
import type { FailureDefinitions } from "./failure-definition.ts";
import { type FaultContext, piecesOf, type Scenario, scenario } from "./scenario.ts";
import type { ScenarioOptions } from "./scenario-options.ts";
import {
  afterEvents,
  contentTypeOf,
  framesOf,
  isWatch,
  joined,
  withBody,
  withFrames,
} from "./watch-frames.ts";

/** The definitions of the failures in this file. */
export const streamBytes: FailureDefinitions<"pairEvents" | "slice" | "truncate"> = {
  pairEvents: { verbs: ["watch"], scope: { verb: "watch" } },
  slice: { scope: { verb: "watch" }, options: { bytes: { type: "integer", least: 1 } } },
  truncate: {
    scope: { verb: "watch" },
    options: { afterEvents: { type: "integer", least: 0 }, afterBytes: { type: "integer", least: 0 } },
  },
};

/** How an answer is cut into pieces. */
export interface SliceOptions extends ScenarioOptions {
  /** The size of each piece in bytes. Default: 1. */
  readonly bytes?: number;
}

/**
 * Sends an answer in pieces of a few bytes, which splits events and the characters in them. Faithful on every transport.
 */
export function slice(options: SliceOptions = {}): Scenario {
  const { bytes = 1 } = options;
  return scenario("slice", streamBytes.slice, options, async ({ answer }) => {
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

/** Resolves when transports have sent what they have. Not a timer: there is one wait per byte, and a timer takes at least a millisecond. */
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
 * Sends events in pairs, two in one piece. The last one waits for the next event or the end of the watch. Faithful on
 * every transport.
 */
export function pairEvents(options: ScenarioOptions = {}): Scenario {
  return scenario("pairEvents", streamBytes.pairEvents, options, (server) =>
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

/** Where an answer is cut. */
export interface CutOptions extends ScenarioOptions {
  /** How many whole events of a watch come before the cut. Default: 0. */
  readonly afterEvents?: number;
  /** How many bytes of the answer come before the cut. Default: the cut is counted in events. */
  readonly afterBytes?: number;
}

/** Ends the answer within an event or after some bytes as if it were complete. Faithful on every transport. */
export function truncate(options: CutOptions = {}): Scenario {
  const { afterEvents: events = 0, afterBytes } = options;
  return scenario("truncate", streamBytes.truncate, options, async (server) => {
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

/** The server's answer up to the point where its connection fails. Answers other than watches are cut by bytes. */
export async function cutAfter(
  { answer, watchFormat }: FaultContext,
  { afterEvents: events = 0, afterBytes }: CutOptions,
  kind: ConnectionFailureKind,
): Promise<ApiResponse> {
  const whole = await answer();
  // biome-ignore lint/correctness/useYield: it throws instead
  const end = async function* (): AsyncGenerator<Uint8Array> {
    throw new ConnectionFailure(kind);
  };
  if (afterBytes !== undefined || !isWatch(whole)) {
    return withBody(withLength(whole), firstBytes(piecesOf(whole.body), afterBytes ?? 0, end));
  }
  const format = await watchFormat(contentTypeOf(whole));
  return withBody(whole, afterEvents(framesOf(whole, format), events, end));
}

/** The answer with a Content-Length if its length is known, even if its body is cut. */
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
