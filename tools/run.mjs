// Runs a TypeScript file on any supported Node: `node tools/run.mjs tools/build.ts [argument...]`.
// Node 20 does not strip types, so the file is bundled first; packages stay outside the bundle.
import { mkdirSync } from "node:fs";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { rawText } from "./raw-text.mjs";

/** MSW and nock are installed under names with their versions: these run on Node 20. */
const interceptors = {
  name: "interceptors",
  /** @param {string} id */
  resolveId: (id) => {
    const found = /^(msw|nock)(\/.*)?$/.exec(id);
    if (found === null) return null;
    const [, name, path = ""] = found;
    return { id: (name === "msw" ? "msw-2" : "nock-14") + path, external: true };
  },
};

/**
 * Bundles `source` and returns the address of a module to import.
 * @param {string} source
 */
export async function compile(source) {
  const directory = resolve("node_modules/.cache/kubedouble");
  mkdirSync(directory, { recursive: true });
  const file = resolve(directory, `${basename(source, ".ts")}-${process.pid}.mjs`);
  const bundle = await rolldown({
    input: source,
    platform: "node",
    external: (id) =>
      !id.startsWith(".") && !id.startsWith("/") && id !== source && !/^(msw|nock)(\/|$)/.test(id),
    plugins: [interceptors, rawText()],
  });
  await bundle.write({ file, format: "es", codeSplitting: false });
  await bundle.close();
  return pathToFileURL(file).href;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { rmSync } = await import("node:fs");
  const { fileURLToPath } = await import("node:url");
  const [source = "", ...rest] = process.argv.slice(2);
  const url = await compile(source);
  process.argv.splice(1, process.argv.length, resolve(source), ...rest);
  process.on("exit", () => rmSync(fileURLToPath(url), { force: true }));
  const { main } = await import(url);
  const status = await main(rest);
  if (typeof status === "number") process.exitCode = status;
}
