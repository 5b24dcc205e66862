import { createCluster } from "../src/index.ts";
import { type Benchmark, milliseconds } from "./benchmark.ts";
import { InProcess } from "./in-process.ts";

/** What a test pays for its own cluster. */
export const benchmarks: readonly Benchmark[] = [
  {
    what: "createCluster() again, filled",
    reference: "",
    atMost: 2,
    unit: "ms",
    // A snapshot needs the objects of a new cluster.
    measure: () => milliseconds(() => createCluster().snapshot(), 50),
  },
  {
    what: "createCluster() again, to its first response",
    reference: "",
    atMost: 6,
    unit: "ms",
    measure: () =>
      milliseconds(async () => {
        const cluster = createCluster();
        await new InProcess(cluster).ask("GET", "/api/v1/namespaces/default");
        await cluster.close();
      }, 50),
  },
  {
    what: "fork() of 1,000 pods",
    reference: "",
    atMost: 1,
    unit: "ms",
    measure: async () => {
      const inProcess = await InProcess.ready();
      await inProcess.fill(1000);
      return milliseconds(() => inProcess.cluster.fork(), 50);
    },
  },
  {
    what: "fork() of 1,000 pods, to its first response",
    reference: "",
    atMost: 1,
    unit: "ms",
    measure: async () => {
      const inProcess = await InProcess.ready({ controllers: [] });
      return milliseconds(
        () => new InProcess(inProcess.cluster.fork()).ask("GET", "/api/v1/namespaces/default"),
        50,
      );
    },
  },
];
