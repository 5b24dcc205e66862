import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { costlyRequests } from "./costly/costly-requests.ts";
import type { CostlyServer } from "./costly/costly-server.ts";
import { StepCounter } from "./step-counter.ts";

/** Large enough that quadratic work would be most of the work, and small enough for the limits of requests. */
const size = 1000;
/** Twice the size may take this many times the steps. Quadratic work takes four times. */
const mostTimes = 2.6;

describe("twice the size takes about twice the steps", () => {
  let counter: StepCounter;
  let server: CostlyServer;

  beforeAll(async () => {
    counter = await StepCounter.start();
    // Only what is imported now is counted.
    const module = await import("./costly/costly-server.ts");
    server = new module.CostlyServer();
  });

  afterAll(async () => {
    await server.close();
    await counter.stop();
  });

  test.each(costlyRequests)("$name", async (costly) => {
    const stepsAt = async (n: number) => {
      const send = await server.prepared(costly, n);
      await counter.take();
      await send();
      return counter.take();
    };
    // The first request of a kind loads its rules.
    await (await server.prepared(costly, 1))();
    const [steps, twice] = [await stepsAt(size), await stepsAt(2 * size)];
    expect(steps).toBeGreaterThan(0);
    expect(twice / steps).toBeLessThan(mostTimes);
  });
});
