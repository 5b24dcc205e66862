import { execFile } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Projects } from "./installed-package.ts";

const run = promisify(execFile);

let projects: Projects;
beforeAll(() => {
  projects = new Projects();
});
afterAll(() => projects.remove());

test("Jest may reset its modules between a cluster and its first request", async () => {
  const project = projects.create("reset-modules", ["jest"]);
  cpSync("test/jest/reset-modules", project, { recursive: true });
  const jest = join(project, "node_modules/jest/bin/jest.js");
  const failure = await run(process.execPath, [jest], {
    cwd: project,
    env: { ...process.env, CI: "true" },
  }).then(
    () => "",
    ({ stdout, stderr }: { stdout: string; stderr: string }) => `failed\n${stdout}${stderr}`,
  );
  expect(failure).toBe("");
});
