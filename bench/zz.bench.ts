import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { type OutputChunk, rolldown } from "rolldown";
import type { Benchmark } from "./benchmark.ts";

export const benchmarks: readonly Benchmark[] = [
  {
    what: "compressed size of the browser entry with everything that requests load and the catalog",
    reference: "",
    atMost: 250,
    unit: "kB",
    measure: async () => (await compressedSize()) / 1,
  },
];

type Entry = typeof import("../src/index.ts");

/** The files of the bundle that ran, in this order. */
const ran: string[] = [];

/** What a page loads for a cluster that uses JSON: gzip of every file that runs until all verbs have been answered. */
async function compressedSize(): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), "kubedouble-size-"));
  try {
    const bundle = await rolldown({ input: "dist/index.js", platform: "browser" });
    const { output } = await bundle.write({
      dir: directory,
      format: "es",
      minify: true,
      entryFileNames: "[name].mjs",
      chunkFileNames: "[name]-[hash].mjs",
      banner: ({ fileName }) => noteOf(fileName),
    });
    await bundle.close();
    Object.assign(globalThis, { ran });
    await useEveryVerb(await import(pathToFileURL(join(directory, "index.mjs")).href));
    const loaded = output
      .filter((part): part is OutputChunk => part.type === "chunk")
      .filter(({ fileName }) => ran.includes(fileName));
    (await import('node:fs')).writeFileSync(process.env.OUT ?? '/tmp/x', loaded.map(({code,fileName})=>`${compressed(code,fileName)} ${fileName.replace(/-[A-Za-z0-9_-]{8}\.mjs/,'')}`).sort().join('\n'));
    return loaded.reduce((total, { code, fileName }) => total + compressed(code, fileName), 0);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** A first line for a file that records when it runs. */
function noteOf(fileName: string): string {
  return `globalThis.ran.push(${JSON.stringify(fileName)});`;
}

function compressed(code: string, fileName: string): number {
  return gzipSync(code.replace(noteOf(fileName), ""), { level: 9 }).length;
}

async function useEveryVerb({ createCluster }: Entry): Promise<void> {
  const cluster = createCluster();
  const headers = { authorization: `Bearer ${cluster.adminToken()}` };
  const ask = async (path: string, method = "GET") => {
    const response = await cluster.fetch(`https://cluster.test${path}`, { method, headers });
    if (!response.ok) throw new Error(await response.text());
    return response;
  };
  for (const path of ["/api", "/apis", "/api/v1", "/apis/apps/v1", "/version", "/readyz"]) await ask(path);
  const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "default" } };
  const created = await cluster.create(configMap);
  await cluster.update({ ...created, data: { step: "1" } });
  await cluster.apply({ ...configMap, data: { step: "2" } }, { force: true });
  const patches = { merge: { data: { step: "3" } }, strategic: { data: { step: "4" } }, json: [] };
  for (const [type, patch] of Object.entries(patches)) {
    await cluster.patch("v1", "ConfigMap", "a", patch, { type: type as keyof typeof patches });
  }
  await cluster.get("v1", "ConfigMap", "a");
  await cluster.list("apps/v1", "Deployment");
  const watch = await ask("/api/v1/configmaps?watch=true&timeoutSeconds=1");
  await watch.body?.cancel();
  await cluster.delete("v1", "ConfigMap", "a");
  await ask("/api/v1/namespaces/default/configmaps", "DELETE");
  await cluster.settle();
  await cluster.close();
}
