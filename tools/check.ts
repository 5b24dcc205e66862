import { execFile } from "node:child_process";
import { drift, exportsDrift, kindsDrift } from "./api.ts";
import { build } from "./build.ts";
import { emitDeclarations } from "./build-types.ts";
import { isFresh } from "./fingerprint.mjs";

interface Step {
  readonly name: string;
  /** Resolves to the problems; empty if there are none. */
  readonly run: () => Promise<string>;
}

const steps: readonly Step[] = [
  program("types of the core", "typescript/bin/tsc", "-p", "tsconfig.json", "--noEmit"),
  program("types of Node files and tests", "typescript/bin/tsc", "-p", "tsconfig.node.json", "--noEmit"),
  program("format and lint", "@biomejs/biome/bin/biome", "check", "--max-diagnostics=100"),
  { name: "public API", run: publicApi },
  program("publint", "publint/src/cli.js", "--strict"),
  program("attw", "@arethetypeswrong/cli/dist/index.js", "--pack", ".", "--profile", "node16", "--no-emoji"),
];

const architecture = program("architecture", "vitest/vitest.mjs", "run", "--project", "architecture");

/** `npm run check`: everything that needs no running server. */
export function main(): Promise<number> {
  return check([...steps, architecture]);
}

/** All checks except test files: for callers that run those next. */
export function checkStatically(): Promise<number> {
  return check(steps);
}

/** Builds if necessary, then runs two steps at a time. Resolves to the exit status. */
async function check(wanted: readonly Step[]): Promise<number> {
  let failed = 0;
  const queue = [...wanted];
  if (!isFresh()) failed += await report({ name: "build", run: built });
  const worker = async (): Promise<void> => {
    for (let step = queue.shift(); step !== undefined; step = queue.shift()) failed += await report(step);
  };
  await Promise.all([worker(), worker()]);
  return failed === 0 ? 0 : 1;
}

async function report({ name, run }: Step): Promise<0 | 1> {
  const start = performance.now();
  const wrong = await run().catch((error: unknown) => String(error));
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${wrong === "" ? "ok    " : "FAILED"} ${name} (${seconds} s)`);
  if (wrong !== "") console.log(wrong);
  return wrong === "" ? 0 : 1;
}

async function built(): Promise<string> {
  await build();
  return "";
}

function program(name: string, script: string, ...options: string[]): Step {
  return {
    name,
    run: () =>
      new Promise((resolve) => {
        const parameters = [`node_modules/${script}`, ...options];
        execFile(process.execPath, parameters, { maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
          resolve(error === null ? "" : `${stdout}${stderr}` || error.message);
        });
      }),
  };
}

async function publicApi(): Promise<string> {
  const changed = drift(emitDeclarations());
  const messages = changed.map((file) => `${file} is out of date`);
  if (kindsDrift()) messages.push("the types of the built-in kinds are not those of the catalog");
  if (exportsDrift()) messages.push("exports in package.json is not what tools/entries.ts says");
  if (messages.length > 0) messages.push("accept it with: npm run api");
  return messages.join("\n");
}
