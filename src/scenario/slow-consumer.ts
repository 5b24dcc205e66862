import { turn } from "../apimachinery/clock.ts";
import { integerFrom } from "../apimachinery/option-types.ts";
import type { FailureDefinitions } from "./failure-definition.ts";
import { type Scenario, scenario } from "./scenario.ts";
import type { ScenarioOptions } from "./scenario-options.ts";
import { type Frame, withFrames } from "./watch-frames.ts";

/** The definition of the failure in this file. */
export const slowConsumers: FailureDefinitions<"slowConsumer"> = {
  slowConsumer: {
    verbs: ["watch"],
    scope: { verb: "watch" },
    options: { capacity: integerFrom(1) },
  },
};

/** How far a client may fall behind. */
export interface SlowConsumerOptions extends ScenarioOptions {
  /** How many events may wait for the client. Default: 1. */
  readonly capacity?: number;
}

/**
 * Ends a watch whose client reads too slowly: once more events wait than allowed, the stream ends after them, as in
 * kube-apiserver. On a port, events wait once the buffers of the connection are full. Faithful on every transport.
 */
export function slowConsumer(options: SlowConsumerOptions = {}): Scenario {
  const { capacity = 1 } = options;
  return scenario("slowConsumer", slowConsumers.slowConsumer, options, (server) =>
    withFrames(server, `the fault waits until more than ${capacity} wait for the client`, (frames) =>
      bounded(frames, capacity, server.struck),
    ),
  );
}

async function* bounded(
  frames: AsyncGenerator<Frame>,
  capacity: number,
  struck: () => void,
): AsyncGenerator<Uint8Array> {
  const waiting: Uint8Array[] = [];
  let isOver = false;
  let isTooSlow = false;
  let wake = (): void => {};
  const fill = async (): Promise<void> => {
    for await (const { bytes } of frames) {
      // Gives an active reader a turn to read.
      if (waiting.length >= capacity) await turn();
      isTooSlow = waiting.length >= capacity;
      if (isTooSlow) break;
      waiting.push(bytes);
      wake();
    }
  };
  const filled = fill().finally(() => {
    isOver = true;
    wake();
  });
  filled.catch(() => {});
  for (;;) {
    const next = waiting.shift();
    if (next !== undefined) yield next;
    else if (isOver) {
      if (isTooSlow) struck();
      break;
    } else {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  await filled;
}
