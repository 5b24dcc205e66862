import { createCluster } from "../src/index.ts";
import { type Benchmark, milliseconds } from "./benchmark.ts";
import { InProcess } from "./in-process.ts";

/** What a test pays that wants a cluster of its own. */
export const benchmarks: readonly Benchmark[] = [
  {
    what: "createCluster() again, filled",
    reference: "",
    atMost: 3,
    unit: "ms",
    // A snapshot needs what a fresh cluster holds.
    measure: () => milliseconds(() => createCluster().snapshot(), 50),
  },
  {
    what: "fork() of 1,000 pods",
    reference: "",
    atMost: 1,
    unit: "ms",
    measure: async () => {
      const asked = await InProcess.ready();
      await asked.fill(1000);
      return milliseconds(() => asked.cluster.fork(), 50);
    },
  },
  {
    what: "fork() of 1,000 pods, to its first answer",
    reference: "",
    atMost: 1,
    unit: "ms",
    measure: async () => {
      const asked = await InProcess.ready({ controllers: [] });
      return milliseconds(
        () => new InProcess(asked.cluster.fork()).ask("GET", "/api/v1/namespaces/default"),
        50,
      );
    },
  },
];
