/**
 * A plugin for Vitest: fast-check generates what the seed says. Only test files that import fast-check load it.
 * @param {number} seed
 * @returns {import("vite").Plugin}
 */
export function fastCheckSeed(seed) {
  return {
    name: "fast-check-seed",
    // Before the imports are rewritten.
    enforce: "pre",
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
