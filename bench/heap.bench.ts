import type { Benchmark } from "./benchmark.ts";
import { Child } from "./child.ts";

const pods = "100000";

export const benchmarks: readonly Benchmark[] = [
  {
    what: "heap for 100,000 pods of 2.7 kB",
    reference: "the parsed objects alone",
    atMost: 1.25,
    unit: "x",
    measure: async () => (await heapOf("heap-of-cluster")) / (await heapOf("heap-of-objects")),
  },
];

async function heapOf(child: string): Promise<number> {
  const process = await Child.start(child, pods);
  const heap = await process.ask<number>("heap");
  await process.stop();
  return heap;
}
