import { setTimeout } from "node:timers/promises";
import { type Benchmark, median } from "./benchmark.ts";
import { type RunningTarget, realApiServerMissing, startRealApiServer } from "./real-api-server.ts";
import { serveInProcess } from "./served-process.ts";
import { pods, TargetClients, unlikePod } from "./target.ts";

const reference = "kube-apiserver and etcd on PATH";
const runs = 5;

/** Times, not CPU times: the real server is two processes that use all processors. */
export const benchmarks: readonly Benchmark[] = [
  row("start to an answered request, time", async () => {}),
  row("start, 2,000 creates of pods that differ, 2,000 GETs, time", async (clients) => {
    await clients.repeat(2000, (serial) => clients.ask("POST", pods, unlikePod(serial)));
    await clients.repeat(2000, () => clients.ask("GET", "/api/v1/namespaces/default"));
  }),
];

function row(what: string, work: (clients: TargetClients) => Promise<void>): Benchmark {
  return {
    what,
    reference,
    atMost: 1,
    unit: "x",
    skipped: realApiServerMissing,
    measure: async () => {
      const ratios: number[] = [];
      for (let index = 0; index < runs; index++) {
        const base = await timeOf(startRealApiServer, work);
        ratios.push((await timeOf(serveInProcess, work)) / base);
      }
      return median(ratios);
    },
  };
}

/** Milliseconds from the start of a server to the end of the work. */
async function timeOf(
  start: () => Promise<RunningTarget>,
  work: (clients: TargetClients) => Promise<void>,
): Promise<number> {
  const begin = performance.now();
  const target = await start();
  const clients = new TargetClients(target);
  try {
    await answered(clients);
    await work(clients);
    return performance.now() - begin;
  } finally {
    clients.close();
    await target.stop();
  }
}

/** How long a server may take to start, in milliseconds. */
const longestStart = 60_000;

/** Waits until the server has its first namespace. @throws {Error} if that takes too long */
async function answered(clients: TargetClients): Promise<void> {
  const deadline = performance.now() + longestStart;
  while ((await clients.ask("GET", "/api/v1/namespaces/default").catch(() => 0)) !== 200) {
    if (performance.now() > deadline) throw new Error("the server does not answer");
    await setTimeout(50);
  }
}
