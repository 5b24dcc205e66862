import { piecesOf, type Scenario, type ScenarioOptions, scenario } from "./scenario.ts";
import { afterEvents, framesOf, withBody, withFrames } from "./watch-frames.ts";

/** Into what pieces an answer is cut. */
export interface SliceOptions extends ScenarioOptions {
  /** How many bytes come at a time. Default: 1. */
  readonly bytes?: number;
}

/** An answer in pieces of a few bytes, so that events, and the characters in them, are split. */
export function slice(options: SliceOptions = {}): Scenario {
  const { bytes = 1 } = options;
  return scenario("slice", options, { verb: "watch" }, async ({ answer }) => {
    const whole = await answer();
    return withBody(whole, sliced(piecesOf(whole.body), bytes));
  });
}

async function* sliced(pieces: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += bytes) yield piece.subarray(at, at + bytes);
  }
}

/** Events that come two and two in one piece. The last waits until the next has come, or the watch ends. */
export function pairEvents(options: ScenarioOptions = {}): Scenario {
  return scenario("pairEvents", options, { verb: "watch" }, async ({ answer }) =>
    withFrames(await answer(), async function* (frames) {
      let first: Uint8Array | undefined;
      for await (const { bytes } of frames) {
        if (first === undefined) {
          first = bytes;
          continue;
        }
        yield together(first, bytes);
        first = undefined;
      }
      if (first !== undefined) yield first;
    }),
  );
}

function together(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** When a stream is cut. */
export interface CutOptions extends ScenarioOptions {
  /** How many events come whole before. Default: 0. */
  readonly afterEvents?: number;
}

/** The stream ends within an event, as if that were its end. */
export function truncate(options: CutOptions = {}): Scenario {
  const { afterEvents: events = 0 } = options;
  return scenario("truncate", options, { verb: "watch" }, async ({ answer }) =>
    withFrames(await answer(), async function* (frames) {
      let seen = 0;
      for await (const { bytes } of frames) {
        if (seen === events) {
          yield bytes.subarray(0, bytes.length >> 1);
          return;
        }
        seen += 1;
        yield bytes;
      }
    }),
  );
}

/** The connection breaks: what the client was sent was not all, and it can tell. */
export function reset(options: CutOptions = {}): Scenario {
  const { afterEvents: events = 0 } = options;
  return scenario("reset", options, { verb: "watch" }, async ({ answer }) => {
    const whole = await answer();
    // biome-ignore lint/correctness/useYield: it breaks instead
    const broken = async function* (): AsyncGenerator<Uint8Array> {
      throw new Error("the connection was reset");
    };
    return withBody(whole, afterEvents(framesOf(whole), events, broken));
  });
}
