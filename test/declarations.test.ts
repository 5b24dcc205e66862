import { execFile } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Projects } from "./installed-package.ts";

/** The program of a user: the checks of test/types, with the package instead of the sources. */
const program = readFileSync("test/types/objects.ts", "utf8")
  .replace('"../../src/index.ts"', '"kubedouble"')
  .replace('"../../src/catalog/generated/built-in-kinds.ts"', '"kubedouble/kinds"');

let projects: Projects;
beforeAll(() => {
  projects = new Projects();
});
afterAll(() => projects.remove());

const resolutions = [
  ["nodenext", "nodenext"],
  ["node16", "node16"],
  ["esnext", "bundler"],
] as const;

describe.each([
  ["the newest TypeScript", "typescript"],
  ["the oldest TypeScript", "typescript-5"],
])("%s compiles typed objects with checked declarations", (_title, compiler) => {
  const isInstalled = existsSync(`node_modules/${compiler}`);
  if (!isInstalled) console.warn(`skipped: ${compiler} is not installed; run npm ci`);

  test.skipIf(!isInstalled).each(
    resolutions.flatMap(([module, moduleResolution]) => [
      { module, moduleResolution, types: ["node"] },
      { module, moduleResolution, types: [] },
    ]),
  )("$moduleResolution with types $types", async (options) => {
    const name = `${compiler}-${options.moduleResolution}-${options.types.length}`;
    const project = projects.create(name, [compiler, ...options.types.map((type) => `@types/${type}`)]);
    const strict = { strict: true, noEmit: true, skipLibCheck: false, target: "es2022" };
    const config = { compilerOptions: { ...strict, ...options }, files: ["user.ts", "user.mts", "user.cts"] };
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify(config));
    for (const file of config.files) writeFileSync(join(project, file), program);
    expect(await output(join(project, "node_modules", compiler, "bin/tsc"), project)).toBe("");
  });
});

/** What the compiler prints. */
function output(tsc: string, project: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, [tsc, "-p", project], { cwd: project }, (error, stdout, stderr) =>
      resolve(stdout + stderr + (error === null || stdout !== "" ? "" : error.message)),
    );
  });
}
