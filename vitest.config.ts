import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { fastCheckSeed } from "./tools/fast-check-seed.mjs";
import { rawText } from "./tools/raw-text.mjs";

// Kinds of tests that need other surroundings than a source file; everything else is "unit".
const architecture = ["test/architecture.test.ts"];
const interoperability = [
  "src/transports/**/*.test.ts",
  "test/conformance/**/*.test.ts",
  "test/interoperability/**/*.test.ts",
];
// MSW and nock replace what Node has, and `vi.mock` replaces packages: each of these files has its own modules.
const interception = [
  "**/{msw,nock}-*.test.ts",
  "**/*-{msw,nock}{,-*}.test.ts",
  "test/authentication/matrix.test.ts",
];
// The tests of the conformance suite that have one harness, quiet-server.ts. What runs through every transport masks names by itself.
const masked = [
  "test/conformance/statements/*.test.ts",
  "test/conformance/{accepted,anonymous,answer,bad,cbor,compression,dry,fault,field,list,literal}*.test.ts",
  "test/conformance/{metrics,near,nonresource,openapi,patch,random,requests,scenarios,state,watch}*.test.ts",
];
const freshProject = ["test/fresh-project.test.ts"];
const built = [
  "test/package.test.ts",
  "test/declarations.test.ts",
  "test/documentation-site.test.ts",
  "test/jest.test.ts",
  "test/vitest.test.ts",
  "test/cli/**/*.test.ts",
];

// The first request of a file loads the server, and vitest transforms every source of it: seconds on a busy machine.
const patience = { testTimeout: 30_000, hookTimeout: 30_000 };

/**
 * Decides the order of the tests of a file, and what fast-check generates. The environment variable TEST_SEED repeats a
 * run.
 */
const seed = Number(process.env["TEST_SEED"] ?? Date.now() % 1_000_000);
console.log(`TEST_SEED=${seed}`);

// What projects do not inherit. `isolate: false` lets the files of a worker share its modules: loading the server for each
// file costs more than the tests.
const everywhere = { env: { TEST_SEED: String(seed) } };

// Sources get the same texts from `?raw` imports as in the build.
const plugins = [rawText(), fastCheckSeed(seed)];

export default defineConfig({
  test: {
    passWithNoTests: true,
    // Vitest would leave one core free, which is half of a small machine. Many tests wait for programs.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Projects do not have their own.
    sequence: { shuffle: { tests: true }, seed },
    projects: [
      { plugins, test: { ...everywhere, name: "architecture", include: architecture } },
      // What meets real client libraries: runs a second time under the newest Node, which some of them need.
      {
        plugins,
        test: {
          ...everywhere,
          ...patience,
          name: "interoperability",
          include: interoperability,
          exclude: interception,
          isolate: false,
        },
      },
      // The same tests once more, with masked names.
      {
        plugins,
        test: {
          ...patience,
          name: "masked",
          env: { ...everywhere.env, CONFORMANCE_IDENTIFIERS: "svc" },
          include: masked,
          setupFiles: "test/conformance/masked-run.ts",
          isolate: false,
        },
      },
      { plugins, test: { ...everywhere, ...patience, name: "interception", include: interception } },
      // What is run from `dist`.
      {
        plugins,
        test: {
          ...everywhere,
          name: "built",
          include: built,
          globalSetup: "test/build-first.ts",
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        plugins,
        test: {
          ...everywhere,
          name: "fresh-project",
          include: freshProject,
          globalSetup: "test/build-first.ts",
          testTimeout: 240_000,
        },
      },
      {
        plugins,
        test: {
          ...everywhere,
          name: "unit",
          ...patience,
          include: ["src/**/*.test.ts", "test/**/*.test.ts"],
          exclude: [...architecture, ...interoperability, ...interception, ...built, ...freshProject],
          isolate: false,
        },
      },
    ],
  },
});
