import type { CostlyRequest } from "../test/attack/costly/costly-request.ts";
import { costlyRequests } from "../test/attack/costly/costly-requests.ts";
import { CostlyServer } from "../test/attack/costly/costly-server.ts";
import type { Benchmark } from "./benchmark.ts";

const size = 4000;
const times = 4;
/** Added to both times, in microseconds, so that the noise of small ones does not count. */
const allowance = 20_000;

/**
 * Linear work takes four times the CPU, quadratic work sixteen times. Tests count the steps of the code
 * (`test/attack/costly-steps.test.ts`); this includes native code, such as `indexOf` and regular expressions.
 */
export const benchmarks: readonly Benchmark[] = [
  {
    what: "the costly request that grows most, four times as large",
    reference: "the same request",
    atMost: 9,
    unit: "x",
    measure: steepest,
  },
];

async function steepest(): Promise<number> {
  const server = new CostlyServer();
  let most = 0;
  for (const costly of costlyRequests) {
    let growth = await growthOf(server, costly);
    // Noise makes a ratio larger in one try, and seldom in three.
    for (let tries = 1; tries < 3 && growth > 6; tries += 1) {
      growth = Math.min(growth, await growthOf(server, costly));
    }
    if (growth > 6) console.error(`${costly.name}: ${growth.toFixed(1)}x`);
    most = Math.max(most, growth);
  }
  await server.close();
  return most;
}

async function growthOf(server: CostlyServer, costly: CostlyRequest): Promise<number> {
  await cpuOf(server, costly, 200);
  const [small, large] = [await cpuOf(server, costly, size), await cpuOf(server, costly, times * size)];
  return (large + allowance) / (small + allowance);
}

/** The CPU time of a request, in microseconds; the least of two. */
async function cpuOf(server: CostlyServer, costly: CostlyRequest, n: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 2; i += 1) {
    const send = await server.prepared(costly, n);
    globalThis.gc?.({ type: "minor" });
    const start = process.cpuUsage();
    await send();
    const { user, system } = process.cpuUsage(start);
    least = Math.min(least, user + system);
  }
  return least;
}
