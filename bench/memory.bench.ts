import type { Benchmark } from "./benchmark.ts";
import { Child } from "./child.ts";
import { peakMemory, peakMemoryUnknown } from "./peak-memory.ts";
import { serveInProcess } from "./served-process.ts";
import { podName, pods, type Target, TargetClients, unlikePod } from "./target.ts";

const what = "peak memory: 2,000 pods, 8,000 GETs, 40 lists, 2,000 applies over TLS";

export const benchmarks: readonly Benchmark[] = [
  {
    what,
    reference: "kubedouble serve alone",
    atMost: 85 * 1024,
    unit: "kB",
    measure: peakOfServe,
    skipped: peakMemoryUnknown,
  },
  {
    what,
    reference: "node:https: JSON.parse, Map, JSON.stringify",
    // 85 MB to 114 MB.
    atMost: 0.75,
    unit: "x",
    measure: async () => (await peakOfServe()) / (await peakOfBareNode()),
    skipped: peakMemoryUnknown,
  },
];

async function peakOfServe(): Promise<number> {
  const served = await serveInProcess();
  try {
    await load(served);
    return peakMemory(served.pid);
  } finally {
    await served.stop();
  }
}

async function peakOfBareNode(): Promise<number> {
  const child = await Child.start("bare-api");
  try {
    await load({ url: `https://127.0.0.1:${await child.ask<number>("port")}`, token: "none" });
    return await child.ask<number>("peak");
  } finally {
    await child.stop();
  }
}

const count = 2000;

async function load(target: Target): Promise<void> {
  const clients = new TargetClients(target);
  const pathOf = (serial: number): string => `${pods}/${podName(serial % count)}`;
  await clients.repeat(count, (serial) => clients.ask("POST", pods, unlikePod(serial)));
  await clients.repeat(4 * count, (serial) => clients.ask("GET", pathOf(serial)));
  await clients.repeat(40, () => clients.ask("GET", pods));
  await clients.repeat(count, (serial) => {
    const metadata = { name: podName(serial), labels: { applied: "yes" } };
    const applied = JSON.stringify({ apiVersion: "v1", kind: "Pod", metadata });
    const path = `${pathOf(serial)}?fieldManager=bench`;
    return clients.ask("PATCH", path, applied, "application/apply-patch+yaml");
  });
  clients.close();
}
