import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CostlyRequest } from "./costly/costly-request.ts";
import { costlyRequests } from "./costly/costly-requests.ts";
import type { CostlyServer } from "./costly/costly-server.ts";
import { type Counted, countedModule } from "./counted-module.ts";

type ServerModule = typeof import("./costly/costly-server.ts");

/**
 * Small, because the steps are counted exactly: the additional ones of twice the size are compared with those of once. A limit
 * or threshold may lie between the sizes; then larger ones decide.
 */
const sizes = [150, 600, 1500];
/** What linear work takes at twice the size. Quadratic work takes four times. */
const mostTimes = 2.3;

describe("twice the size takes about twice the additional steps", () => {
  let counted: Counted<ServerModule>;
  let server: CostlyServer;

  beforeAll(async () => {
    counted = await countedModule<ServerModule>("test/attack/costly/costly-server.ts");
    server = new counted.module.CostlyServer();
  }, 120_000);

  afterAll(() => server.close());

  async function stepsAt(costly: CostlyRequest, n: number): Promise<number> {
    const send = await server.prepared(costly, n);
    counted.take();
    await send();
    return counted.take();
  }

  async function growthFrom(costly: CostlyRequest, size: number): Promise<number> {
    const least = await stepsAt(costly, size);
    const some = await stepsAt(costly, 2 * size);
    const most = await stepsAt(costly, 4 * size);
    return (most - some) / Math.max(1, some - least);
  }

  test.each(costlyRequests)("$name", async (costly) => {
    // The first request of a kind loads its rules.
    expect(await stepsAt(costly, 1)).toBeGreaterThan(0);
    let growth = Number.POSITIVE_INFINITY;
    for (const size of sizes) {
      growth = await growthFrom(costly, size);
      if (growth < mostTimes) break;
    }
    expect(growth).toBeLessThan(mostTimes);
  });
});
