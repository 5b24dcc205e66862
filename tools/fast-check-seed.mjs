import { randomInt } from "node:crypto";
import { env } from "node:process";

const variable = "FAST_CHECK_SEED";

/**
 * A plugin for Vitest: every property of a run starts from one seed, which is printed. `FAST_CHECK_SEED` repeats a run. Only
 * files that import fast-check load it.
 * @returns {import("vite").Plugin}
 */
export function fastCheckSeed() {
  const seed = env[variable] ?? String(randomInt(2 ** 31));
  env[variable] = seed;
  return {
    name: "fast-check-seed",
    // Before the imports are rewritten.
    enforce: "pre",
    buildStart() {
      if (env["FAST_CHECK_SEED_PRINTED"] !== undefined) return;
      env["FAST_CHECK_SEED_PRINTED"] = "yes";
      console.log(`${variable}=${seed}`);
    },
    transform: {
      filter: { code: /from "fast-check"/, id: /\.ts$/ },
      handler(code) {
        // On the first line, so that the lines keep their numbers.
        const configured = `import { configureGlobal as configureFastCheck } from "fast-check"; configureFastCheck({ seed: ${seed} });`;
        return { code: `${configured} ${code}`, map: null };
      },
    },
  };
}
