import { gzipSync } from "node:zlib";
import { type OutputChunk, rolldown } from "rolldown";
import { rawText } from "../tools/raw-text.mjs";
import type { Benchmark } from "./benchmark.ts";

export const benchmarks: readonly Benchmark[] = [
  {
    what: "compressed size of the browser entry, its catalog included",
    reference: "",
    atMost: 250,
    unit: "kB",
    measure: async () => (await compressedSize()) / 1000,
  },
];

/** What a page loads to have a cluster that speaks JSON: gzip of the entry and of what that imports. */
async function compressedSize(): Promise<number> {
  const bundle = await rolldown({ input: "src/index.ts", platform: "browser", plugins: [rawText()] });
  const { output } = await bundle.generate({ format: "es", minify: true });
  await bundle.close();
  const chunks = output.filter((part): part is OutputChunk => part.type === "chunk");
  const loaded = chunks.filter(({ isEntry }) => isEntry);
  for (const { imports } of loaded) {
    loaded.push(...chunks.filter((chunk) => imports.includes(chunk.fileName) && !loaded.includes(chunk)));
  }
  return loaded.reduce((total, { code }) => total + gzipSync(code, { level: 9 }).length, 0);
}
