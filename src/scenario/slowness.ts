import { letTimeGoOn } from "../apimachinery/held-time.ts";
import type { OptionType } from "../apimachinery/option-checks.ts";
import type { FailureDefinitions } from "./failure-definition.ts";
import { milliseconds, required } from "./failure-option-types.ts";
import { type Scenario, scenario } from "./scenario.ts";
import type { ScenarioOptions } from "./scenario-options.ts";

const millisecondsOrFunction: OptionType = {
  ...milliseconds,
  accepts: `${milliseconds.accepts}, or a function that returns one`,
  isValid: (value) => typeof value === "function" || milliseconds.isValid(value),
};

/** The definition of the failure in this file. */
export const slowness: FailureDefinitions<"latency"> = {
  latency: { options: { milliseconds: required(millisecondsOrFunction) } },
};

/** How long answers are delayed. */
export interface LatencyOptions extends ScenarioOptions {
  /**
   * Milliseconds on the cluster's clock before the server handles the request, or a function that is called for each
   * request: `() => 20 + 200 * Math.random() ** 4`.
   */
  readonly milliseconds: number | (() => number);
}

/** Delays answers and leaves them correct. Faithful on every transport. */
export function latency(options: LatencyOptions): Scenario {
  const { milliseconds } = options;
  return scenario("latency", slowness.latency, options, async ({ clock, answer, struck, missed }) => {
    const wait = typeof milliseconds === "number" ? milliseconds : milliseconds();
    if (wait > 0) struck();
    else missed("its delay was not longer than 0 milliseconds");
    const ended = letTimeGoOn(clock);
    await new Promise<void>((resolve) => clock.after(wait, resolve));
    ended();
    return answer();
  });
}
