import type { ApiResponse } from "../src/request/handler.ts";
import { type Benchmark, cpuRatio } from "./benchmark.ts";
import { InProcess, pods } from "./in-process.ts";

export const benchmarks: readonly Benchmark[] = [
  {
    what: "list of 10,000 pods, JSON",
    reference: "Buffer.concat of the same cached bytes",
    atMost: 1.3,
    unit: "x",
    measure: async () => {
      const inProcess = await InProcess.ready();
      await inProcess.fill(10_000);
      const { items } = JSON.parse(await inProcess.read(pods));
      const cached = items.map((item: unknown) => Buffer.from(`,${JSON.stringify(item)}`));
      return cpuRatio(
        () => Buffer.concat(cached),
        async () => Buffer.concat(piecesOf(await inProcess.ask("GET", pods))),
      );
    },
  },
  {
    what: "list of 500 by label out of 100,000",
    reference: "a loop over 100,000 objects with the same test",
    atMost: 2,
    unit: "x",
    measure: async () => {
      const inProcess = await InProcess.ready();
      await inProcess.fill(100_000, (index) => ({ release: index % 200 === 7 ? "canary" : "stable" }));
      const target = `${pods}?labelSelector=release%3Dcanary`;
      const { items }: { items: unknown[] } = JSON.parse(await inProcess.read(target));
      if (items.length !== 500) throw new Error(`${items.length} items`);
      const objects: { metadata: { labels: Record<string, string> } }[] = JSON.parse(
        await inProcess.read(pods),
      ).items;
      return cpuRatio(
        () => objects.filter(({ metadata }) => metadata.labels["release"] === "canary"),
        () => inProcess.ask("GET", target),
      );
    },
  },
];

/** The pieces that the server returns; joining them is up to the transport, and costs what the reference costs. */
function piecesOf({ body }: ApiResponse): readonly Uint8Array[] {
  if (!Array.isArray(body)) throw new Error("expected the list in pieces");
  return body;
}
