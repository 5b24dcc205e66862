import { turn } from "../apimachinery/clock.ts";
import { integerFrom } from "../apimachinery/option-types.ts";
import { ConnectionFailure, type ConnectionFailureKind } from "../request/connection-failure.ts";
import type { ApiResponse, ApiResponseBody } from "../request/handler.ts";
import { derivedBody, discardBody } from "../request/response-stream.ts";
import { awaitedEvents, counted } from "./awaited-events.ts";
import type { FailureDefinitions } from "./failure-definition.ts";
import { type FaultContext, piecesOf, type Scenario, scenario } from "./scenario.ts";
import type { ScenarioOptions } from "./scenario-options.ts";
import { afterEvents, joined, withBody, withFrames } from "./watch-frames.ts";

/** The definitions of the failures in this file. */
export const streamBytes: FailureDefinitions<"pairEvents" | "slice" | "truncate"> = {
  pairEvents: { verbs: ["watch"], scope: { verb: "watch" } },
  slice: { scope: { verb: "watch" }, options: { bytes: integerFrom(1) } },
  truncate: {
    scope: { verb: "watch" },
    options: { afterEvents: integerFrom(0), afterBytes: integerFrom(0) },
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
  return scenario("slice", streamBytes.slice, options, async (server) => {
    const whole = await server.answer();
    server.waits(() => `its answer has no piece of more than ${counted(bytes, "byte")} yet`);
    const release = () => {
      server.missed(`its answer needs a piece of more than ${counted(bytes, "byte")}`);
      return discardBody(whole.body);
    };
    return withBody(whole, derivedBody(sliced(piecesOf(whole.body), bytes, server), release));
  });
}

async function* sliced(
  pieces: AsyncIterable<Uint8Array>,
  bytes: number,
  { struck }: FaultContext,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    if (piece.length > bytes) struck();
    for (let at = 0; at < piece.length; at += bytes) {
      yield piece.subarray(at, at + bytes);
      await nextTask();
    }
  }
}

/** Resolves when transports have sent what they have. Not a timer: there is one wait per byte, and a timer takes at least a millisecond. */
function nextTask(): Promise<void> {
  // jsdom has no message channels.
  if (typeof MessageChannel === "undefined") return turn();
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
    withFrames(server, awaitedEvents(2), async function* (frames) {
      let first: Uint8Array | undefined;
      for await (const { bytes } of frames) {
        if (first === undefined) {
          first = bytes;
          continue;
        }
        server.struck();
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

/**
 * Checks that an answer is cut in one way only, and after events only if it is a watch.
 * @throws {Error} for other options
 */
export function checkCut(name: string, { afterEvents, afterBytes, verb = "watch" }: CutOptions): void {
  if (afterEvents === undefined) return;
  if (afterBytes !== undefined) throw new Error(`${name}: give either afterEvents or afterBytes, not both`);
  const other = [verb].flat().find((one) => one !== "watch");
  if (other !== undefined)
    throw new Error(`${name} cannot cut requests with the verb ${other} after events, only after afterBytes`);
}

/** Ends the answer within an event or after some bytes as if it were complete. Faithful on every transport. */
export function truncate(options: CutOptions = {}): Scenario {
  const { afterEvents: events = 0, afterBytes } = options;
  checkCut("truncate", afterBytes === undefined ? { ...options, afterEvents: events } : options);
  return scenario("truncate", streamBytes.truncate, options, async (server) => {
    if (afterBytes !== undefined)
      return cutBytes(server, await server.answer(), afterBytes, async function* () {});
    return withFrames(server, awaitedEvents(events + 1), async function* (frames) {
      let left = events;
      for await (const { bytes, type } of frames) {
        if (left === 0 && type !== "BOOKMARK") {
          server.struck();
          yield bytes.subarray(0, bytes.length >> 1);
          return;
        }
        if (type !== "BOOKMARK") left -= 1;
        yield bytes;
      }
    });
  });
}

/** The server's answer up to the point where its connection fails. Answers other than watches are cut by bytes. */
export async function cutAfter(
  server: FaultContext,
  { afterEvents: events = 0, afterBytes }: CutOptions,
  kind: ConnectionFailureKind,
): Promise<ApiResponse> {
  // biome-ignore lint/correctness/useYield: it throws instead
  const end = async function* (): AsyncGenerator<Uint8Array> {
    throw new ConnectionFailure(kind);
  };
  if (afterBytes !== undefined) return cutBytes(server, withLength(await server.answer()), afterBytes, end);
  return withFrames(server, awaitedEvents(events), (frames) =>
    afterEvents(frames, events, () => {
      server.struck();
      return end();
    }),
  );
}

/** An answer that ends after some bytes, unless it is complete before. */
function cutBytes(
  { struck, missed, waits }: FaultContext,
  answer: ApiResponse,
  bytes: number,
  end: () => AsyncIterable<Uint8Array>,
): ApiResponse {
  const awaited = `the fault waits for ${bytes}`;
  const length = lengthOf(answer.body);
  if (length !== undefined && length <= bytes) {
    missed(`its answer has ${counted(length, "byte")}; the fault waits for more than ${bytes}`);
    return answer;
  }
  let passed = 0;
  waits(() => `its answer has had ${counted(passed, "byte")}; ${awaited}`);
  const pieces = async function* (): AsyncGenerator<Uint8Array> {
    if (bytes > 0) {
      for await (const piece of piecesOf(answer.body)) {
        const part = piece.subarray(0, bytes - passed);
        passed += part.length;
        yield part;
        if (passed === bytes) break;
      }
    }
    if (passed < bytes) return;
    struck();
    yield* end();
  };
  const release = () => {
    missed(`its answer ended after ${counted(passed, "byte")}; ${awaited}`);
    return discardBody(answer.body);
  };
  return withBody(answer, derivedBody(pieces(), release));
}

/** The answer with a Content-Length if its length is known, even if its body is cut. */
function withLength(answer: ApiResponse): ApiResponse {
  const length = lengthOf(answer.body);
  if (answer.body === undefined || length === undefined) return answer;
  return { ...answer, headers: [...answer.headers, ["Content-Length", String(length)]] };
}

/** The length of a body; undefined for a stream. */
function lengthOf(body: ApiResponseBody): number | undefined {
  if (body === undefined) return 0;
  if (body instanceof Uint8Array) return body.length;
  if (Symbol.asyncIterator in body) return undefined;
  return body.reduce((sum, piece) => sum + piece.length, 0);
}
