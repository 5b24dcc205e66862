import { mkdirSync, rmSync } from "node:fs";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type Plugin, rolldown } from "rolldown";
import { rawText } from "../../tools/raw-text.mjs";
import { countedSource, stepsVariable } from "./counted-source.ts";

/** The packages that read what clients send. */
const countedPackages = /^(protobufjs|@noble|re2js)\b/;
const counted = /\/src\/.*\.ts$|\/node_modules\/(protobufjs|@noble|re2js)\/.*\.m?js$/;

/** A module that counts its steps. */
export interface Counted<Module> {
  readonly module: Module;
  /** The steps since the last call, or since the import. */
  take(): number;
}

/**
 * Imports a module so that it counts the steps of the server: how often it calls a function of its own or goes round a loop. The
 * number does not depend on the machine. Native code, such as `indexOf` and regular expressions, is no step; the benchmark
 * `bench/attack.bench.ts` measures its time.
 * @param sources Matches the paths of the files whose steps count.
 */
export async function countedModule<Module>(
  source: string,
  sources: RegExp = counted,
): Promise<Counted<Module>> {
  const directory = resolve("node_modules/.cache/kubedouble");
  mkdirSync(directory, { recursive: true });
  const file = resolve(directory, `${basename(source, ".ts")}-counted-${process.pid}.mjs`);
  const bundle = await rolldown({
    input: resolve(source),
    platform: "node",
    external: (id) => /^[a-z@]/.test(id) && !countedPackages.test(id),
    plugins: [rawText(), counting(sources)],
  });
  await bundle.write({
    file,
    format: "es",
    codeSplitting: false,
    banner: `const ${stepsVariable} = { count: 0 };`,
    footer: `export { ${stepsVariable} };`,
  });
  await bundle.close();
  const module = await import(/* @vite-ignore */ pathToFileURL(file).href);
  rmSync(file);
  const steps: { count: number } = module[stepsVariable];
  return {
    module,
    take: () => {
      const { count } = steps;
      steps.count = 0;
      return count;
    },
  };
}

function counting(sources: RegExp): Plugin {
  return {
    name: "counting",
    transform: {
      filter: { id: sources },
      handler: (code, id) => ({ code: countedSource(id, code), map: null }),
    },
  };
}
