import { type Scenario, type ScenarioOptions, scenario } from "./scenario.ts";

/** How long answers take. */
export interface LatencyOptions extends ScenarioOptions {
  /**
   * Milliseconds of the cluster's clock before the server looks at the request, or a function that is asked anew for
   * each: `() => 20 + 200 * Math.random() ** 4`.
   */
  readonly milliseconds: number | (() => number);
}

/** Answers that are late, and right. Faithful on every transport. */
export function latency(options: LatencyOptions): Scenario {
  const { milliseconds } = options;
  return scenario("latency", options, {}, async ({ clock, answer }) => {
    const wait = typeof milliseconds === "number" ? milliseconds : milliseconds();
    await new Promise<void>((resolve) => clock.after(wait, resolve));
    return answer();
  });
}
