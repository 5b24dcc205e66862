import { existsSync } from "node:fs";
import { builtInKindsFile } from "./built-in-kinds-file.ts";

/** One entry of the package. */
export interface Entry {
  /** The subpath of `exports`. */
  readonly subpath: string;
  /** The name of the built files. */
  readonly name: string;
  readonly source: string;
  /** Whether it needs sockets or other parts of Node, so that a browser must not resolve it. */
  readonly nodeOnly: boolean;
  /** Whether it exports only types. */
  readonly typesOnly?: boolean;
  /** The only test runner that can load it. */
  readonly within?: string;
}

/** Every current and planned entry of the package. Those without a source do not exist yet. */
const planned: readonly Entry[] = [
  { subpath: ".", name: "index", source: "src/index.ts", nodeOnly: false },
  { subpath: "./kinds", name: "kinds", source: builtInKindsFile, nodeOnly: false, typesOnly: true },
  { subpath: "./scenarios", name: "scenarios", source: "src/scenario/presets.ts", nodeOnly: false },
  { subpath: "./cel", name: "cel", source: "src/cel/cel.ts", nodeOnly: false },
  { subpath: "./lifecycle", name: "lifecycle", source: "src/lifecycle/lifecycle.ts", nodeOnly: false },
  { subpath: "./msw", name: "msw", source: "src/transports/web/msw.ts", nodeOnly: false },
  { subpath: "./nock", name: "nock", source: "src/transports/node/nock.ts", nodeOnly: true },
  { subpath: "./node", name: "node", source: "src/transports/node/node.ts", nodeOnly: true },
  { subpath: "./undici", name: "undici", source: "src/transports/node/undici.ts", nodeOnly: true },
  { subpath: "./vitest", name: "vitest", source: "src/runners/vitest.ts", nodeOnly: true, within: "vitest" },
  {
    subpath: "./vitest/global-setup",
    name: "vitest-global-setup",
    source: "src/runners/vitest-global-setup.ts",
    nodeOnly: true,
  },
  { subpath: "./jest", name: "jest", source: "src/runners/jest.ts", nodeOnly: true },
  {
    subpath: "./jest/environment",
    name: "jest-environment",
    source: "src/runners/jest-environment.ts",
    nodeOnly: true,
  },
  {
    subpath: "./jest/environment-jsdom",
    name: "jest-environment-jsdom",
    source: "src/runners/jest-environment-jsdom.ts",
    nodeOnly: true,
  },
  {
    subpath: "./jest/jest-preset",
    name: "jest-preset",
    source: "src/runners/jest-preset.ts",
    nodeOnly: true,
  },
  {
    subpath: "./jest/esm-transform",
    name: "jest-esm-transform",
    source: "src/runners/jest-esm-transform.ts",
    nodeOnly: true,
  },
  {
    subpath: "./jest/global-setup",
    name: "jest-global-setup",
    source: "src/runners/jest-global-setup.ts",
    nodeOnly: true,
  },
  {
    subpath: "./jest/global-teardown",
    name: "jest-global-teardown",
    source: "src/runners/jest-global-teardown.ts",
    nodeOnly: true,
  },
];

/** The entries whose source exists. */
export const entries: readonly Entry[] = planned.filter((entry) => existsSync(entry.source));

/** The source of the command; undefined until it exists. */
export const command = "src/cli/main.ts";

/** The expected `exports` in package.json. */
export function packageExports(): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const { subpath, name, nodeOnly } of entries) {
    result[subpath] = {
      ...(nodeOnly ? { browser: null } : {}),
      import: { types: declarationPath(name, "esm"), default: `./dist/${name}.js` },
      require: { types: declarationPath(name, "cjs"), default: `./dist/${name}.cjs` },
    };
  }
  result["./package.json"] = "./package.json";
  return result;
}

/** The path of an entry's declarations in the package. */
export function declarationPath(name: string, format: "esm" | "cjs"): string {
  return `./dist/${name}.${format === "esm" ? "d.ts" : "d.cts"}`;
}
